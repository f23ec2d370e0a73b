import { hash } from 'node:crypto'
import type { CreditEntry } from '@framegate/contract'
import type { LedgerEntry, LedgerRequest } from '../db/ledger.ts'
import { csvText } from '../lib/csv-text.ts'
import { creditsOf } from './micro-credits.ts'
import { mapNullable } from '../lib/map-nullable.ts'

/**
 * Converts an entry to its view. The id is opaque and stable: a hash of the account and of the
 * entry's position in the account's ledger.
 */
export function entryView(accountId: string, entry: LedgerEntry): CreditEntry {
  return {
    id: `entry_${hash('sha256', `framegate entry 1\n${accountId}\n${entry.position}`).slice(0, 32)}`,
    object: 'credit_entry',
    kind: entry.kind,
    amount: creditsOf(entry.microCredits),
    held: creditsOf(entry.heldMicroCredits),
    balance_after: creditsOf(entry.balanceAfterMicroCredits),
    task: entry.taskId,
    request: mapNullable(entry.request, requestView),
    note: entry.note,
    expires_at: mapNullable(entry.expiresAtMs, toSeconds),
    created: toSeconds(entry.atMs),
  }
}

function requestView(request: LedgerRequest): NonNullable<CreditEntry['request']> {
  const { requestId, model, inputTokens, cachedInputTokens, outputTokens, isEstimated } = request
  return {
    id: requestId,
    model,
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    estimated: isEstimated,
  }
}

const csvColumns = ['created', 'kind', 'amount', 'held', 'balance_after', 'task', 'note', 'expires_at', 'id'] as const

/** Converts ledger entries to CSV. Times are in UTC, in ISO 8601 format. */
export function entriesCsv(entries: readonly CreditEntry[]): string {
  const rows = entries.map((entry) => ({
    ...entry,
    created: timeText(entry.created),
    expires_at: mapNullable(entry.expires_at, timeText),
  }))
  return csvText(
    csvColumns,
    rows.map((row) => csvColumns.map((name) => row[name])),
  )
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function timeText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z')
}
