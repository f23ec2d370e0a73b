import type { Clock } from '../lib/clock.ts'
import type { Statement } from './statement.ts'
import type { EntryRow } from './tables/ledger-tables.ts'

/** Grants, corrections and expiry of an account's credits, and the ledger that records them. */
export interface Ledger {
  /**
   * Adds credits to an account. They are permanent, or expire at a given time. Credits that expire
   * soonest are spent first. Returns false without a change if an entry with this reference already
   * exists. Throws `GrantLimitExceeded`.
   */
  grant(accountNo: number, microCredits: number, note: string, options?: GrantOptions): Promise<boolean>
  /**
   * Raises or lowers a balance. Returns false without a change if the balance would fall below
   * zero. If an entry with this reference already exists, changes nothing and returns true. Throws
   * `GrantLimitExceeded`.
   */
  adjust(accountNo: number, microCredits: number, note: string, options?: AdjustOptions): Promise<boolean>
  /**
   * Sets the clock that decides when grants and idempotency keys expire. It must never be ahead of
   * the store's own clock.
   */
  setExpiryClock(clock: Clock): void
  /**
   * Removes the remaining credits of every expired grant from the balances. Even before this
   * removal, expired credits cannot be spent.
   */
  expireGrants(options?: ExpireOptions): Promise<void>
  /**
   * Lists the account's ledger, newest entry first. Consecutive pages miss no entry, even if other
   * entries are written between the reads.
   */
  listEntries(query: EntryListQuery): Promise<LedgerEntry[]>
  /**
   * Recomputes balances, held credits, remaining credits of grants, and usage from the entries,
   * tasks and forwarded requests, and reports differences. On PostgreSQL, `signal` ends the check
   * early. SQLite ignores it.
   */
  verifyCredits(signal?: AbortSignal): Promise<CreditsReport>
}

export interface AdjustOptions {
  /** Identifies the request, so that a retry has no second effect. */
  reference?: string | undefined
  /** Statements to write in the same commit. They are skipped if the call changes nothing. */
  extraStatements?: readonly Statement[]
}

export interface ExpireOptions {
  /** The account whose expired grants are removed. Default: all accounts. */
  accountNo?: number
  /** Ends the removal early. The next call continues. */
  signal?: AbortSignal
}

export interface GrantOptions extends AdjustOptions {
  expiresAtMs?: number | undefined
}

/** The forwarded request of a ledger entry. Its token counts are 0 until it has ended. */
export interface LedgerRequest {
  /** `X-Request-Id` of the client's request. */
  requestId: string
  model: string
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  isEstimated: boolean
}

/** An entry of an account's ledger. */
export interface LedgerEntry {
  /** Position among the account's entries, from 1. */
  position: number
  kind: EntryRow['kind']
  taskId: string | null
  /** The forwarded request that caused the entry, if any. */
  request: LedgerRequest | null
  /** The amount that the entry adds to the balance. It may be negative. */
  microCredits: number
  /** The amount that the entry adds to the held credits. It may be negative. */
  heldMicroCredits: number
  balanceAfterMicroCredits: number
  /** Time of the entry. It is never earlier than the time of the preceding entry. */
  atMs: number
  note: string | null
  /** Set only for a grant that expires. */
  expiresAtMs: number | null
}

/** The position of an entry in the ledger of its account. */
export type EntryPosition = Pick<LedgerEntry, 'position' | 'atMs'>

export interface EntryListQuery {
  accountNo: number
  limit: number
  /** Restricts the list to entries before this one. */
  before?: EntryPosition
  kind?: EntryRow['kind']
  taskId?: string
  /** Restricts the list to entries at or after this time, Unix milliseconds. */
  createdFromMs?: number
  /** Restricts the list to entries before this time, Unix milliseconds. */
  createdUntilMs?: number
}

export interface CreditsReport {
  accounts: number
  entries: number
  /** Number of tasks and forwarded requests that have not ended. */
  holds: number
  /** Descriptions of the rows whose amounts disagree. */
  differences: string[]
}
