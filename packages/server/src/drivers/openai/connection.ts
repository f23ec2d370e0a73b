import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import type { SaidByUpstream } from '../upstream/judge-refusal.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface OpenaiConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  /** With the key. */
  headers: Readonly<Record<string, string>>
}

const policyWords = /moderation|policy|safety|sensitive/i

/** `{"error": {code, message}}`, and the flat form of some gateways. */
export function saidBy({ json }: Pick<UpstreamAnswer, 'json'>): SaidByUpstream {
  const body = objectIn(json)
  const error = typeof body['error'] === 'object' ? objectIn(body['error']) : body
  const code = textIn(error['code'])
  const message = textIn(error['message']) || textIn(body['error']) || textIn(body['fail_reason'])
  return { code, message, isPolicy: policyWords.test(code) || policyWords.test(message) }
}
