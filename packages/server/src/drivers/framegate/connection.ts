import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface FramegateConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

export function tasksUrl({ baseUrl }: ConnectedTarget): string {
  return `${baseUrl}/v2/model-center/tasks`
}

export function readError({ json }: Pick<UpstreamResponse, 'json'>): Omit<UpstreamError, 'isPolicyViolation'> {
  const { code, message } = objectIn(objectIn(json)['error'])
  return { code: textIn(code), message: textIn(message) }
}
