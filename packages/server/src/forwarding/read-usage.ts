import type { TokenCounts } from '../catalogue/token-price.ts'
import { isObject } from '../lib/is-object.ts'

/** A higher number is treated as an error of the upstream. */
const tokensMax = 1_000_000_000

/**
 * Reads the token counts that an upstream reports, from Chat Completions or Responses of OpenAI's
 * API. Returns undefined if the counts are missing or implausible.
 */
export function readUsage(raw: unknown): TokenCounts | undefined {
  if (!isObject(raw)) return undefined
  const input = countOf(raw['prompt_tokens'] ?? raw['input_tokens'])
  const output = countOf(raw['completion_tokens'] ?? raw['output_tokens'] ?? 0)
  const details = raw['prompt_tokens_details'] ?? raw['input_tokens_details']
  const cached = isObject(details) ? (countOf(details['cached_tokens']) ?? 0) : 0
  if (input === undefined || output === undefined) return undefined
  return { input, cachedInput: Math.min(cached, input), output }
}

function countOf(raw: unknown): number | undefined {
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= tokensMax ? raw : undefined
}
