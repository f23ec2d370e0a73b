import type { TokenCounts } from '../catalogue/token-price.ts'
import { isObject } from '../lib/is-object.ts'

/** A higher number is treated as an error of the upstream. */
const tokensMax = 1_000_000_000

/**
 * Reads the token counts that an upstream reports, from Chat Completions or Responses of OpenAI's
 * API. Returns undefined if the counts are missing or implausible.
 */
export function readUsage(given: unknown): TokenCounts | undefined {
  if (!isObject(given)) return undefined
  const input = countOf(given['prompt_tokens'] ?? given['input_tokens'])
  const output = countOf(given['completion_tokens'] ?? given['output_tokens'] ?? 0)
  const details = given['prompt_tokens_details'] ?? given['input_tokens_details']
  const cached = isObject(details) ? (countOf(details['cached_tokens']) ?? 0) : 0
  if (input === undefined || output === undefined) return undefined
  return { input, cachedInput: Math.min(cached, input), output }
}

function countOf(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= tokensMax ? given : undefined
}
