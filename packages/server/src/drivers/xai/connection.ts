import type { ProviderCost } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import { numberIn, objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface XaiConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

export const policyPattern = /moderat|content policy|usage polic|safety|sensitive/i
const ticksPerUsd = 10_000_000_000

/**
 * Reads `{"code", "error": "text"}` or `{"error": {message, code}}`. The code may be an identifier
 * or a sentence.
 */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const body = objectIn(json)
  const error = objectIn(body['error'])
  const code = textIn(error['code']) || textIn(body['code'])
  const message = textIn(error['message']) || textIn(body['error'])
  return { code, message, isPolicyViolation: policyPattern.test(message) }
}

/**
 * Reads the reported cost. A moderated generation has one too, because the upstream charges for it.
 */
export function costIn(json: unknown): { cost?: ProviderCost } {
  const ticks = numberIn(objectIn(objectIn(json)['usage'])['cost_in_usd_ticks'])
  return ticks === undefined ? {} : { cost: { amount: ticks / ticksPerUsd, unit: 'usd' } }
}
