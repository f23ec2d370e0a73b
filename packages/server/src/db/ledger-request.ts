import type { LedgerRequest } from './ledger.ts'

/** Returns the forwarded request of a selected ledger entry, or null if the entry has none. */
export function requestOf(row: Readonly<Record<string, unknown>>): LedgerRequest | null {
  const requestId = row['request_id']
  if (typeof requestId !== 'string') return null
  return {
    requestId,
    model: String(row['request_model']),
    inputTokens: Number(row['input_tokens']),
    cachedInputTokens: Number(row['cached_input_tokens']),
    outputTokens: Number(row['output_tokens']),
    isEstimated: row['is_estimated'] === 1,
  }
}
