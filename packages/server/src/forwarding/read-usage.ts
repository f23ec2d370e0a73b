import type { TokenCounts } from '../catalogue/token-price.ts'
import { isObject } from '../lib/is-object.ts'

/** Token counts above this number are regarded as errors of the upstream. */
const tokensMax = 1_000_000_000

/**
 * Reads the token counts that an upstream reports, in the format of the Chat Completions or the
 * Responses API. Returns undefined if they are missing or implausible.
 */
export function readUsage(raw: unknown): TokenCounts | undefined {
  if (!isObject(raw)) return undefined
  const input = countOf(raw['prompt_tokens'] ?? raw['input_tokens'])
  const output = countOf(raw['completion_tokens'] ?? raw['output_tokens'] ?? 0)
  const details = raw['prompt_tokens_details'] ?? raw['input_tokens_details']
  const cachedTokens = isObject(details) ? (countOf(details['cached_tokens']) ?? 0) : 0
  if (input === undefined || output === undefined || input + output === 0) return undefined
  return { input, cachedInput: Math.min(cachedTokens, input), output }
}

function countOf(raw: unknown): number | undefined {
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= tokensMax ? raw : undefined
}
