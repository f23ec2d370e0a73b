import type { Clock } from '../lib/clock.ts'
import type { Statement } from './statement.ts'
import type { EntryRow } from './tables.ts'

/** Credits of accounts: grants, corrections, expiry, and the ledger that records them. */
export interface Ledger {
  /**
   * Adds credits to an account, permanently or until they expire. Credits that expire soonest are
   * spent first. Returns false if a grant with this reference was made before.
   */
  grant(accountNo: number, microCredits: number, note: string, options?: GrantOptions): Promise<boolean>
  /**
   * Corrects a balance up or down, once for each reference. Returns false, without any change, if
   * the balance would fall below zero.
   */
  adjust(accountNo: number, microCredits: number, note: string, options?: AdjustOptions): Promise<boolean>
  /**
   * Sets the clock by which grants expire and idempotency keys are forgotten. It never runs ahead
   * of the store's own.
   */
  expireBy(clock: Clock): void
  /**
   * Removes the rest of every expired grant from the balances. Expired credits cannot be spent even
   * before that.
   */
  expireGrants(): Promise<void>
  /**
   * The account's ledger, newest line first. Pages that continue one another miss no line, whatever
   * is written in between.
   */
  listEntries(query: EntryListQuery): Promise<LedgerEntry[]>
  /**
   * Recomputes every balance from the entries, every hold from the tasks, and what is left of every
   * grant.
   */
  verifyCredits(): Promise<CreditsReport>
}

export interface AdjustOptions {
  /** Identifies the request, so that a repeated request counts once. */
  reference?: string | undefined
  /** Written in the same commit, unless the change was made before. */
  extraStatements?: readonly Statement[]
}

export interface GrantOptions extends AdjustOptions {
  expiresAtMs?: number | undefined
}

export interface LedgerRequest {
  /** `X-Request-Id` of the client's request. */
  requestId: string
  model: string
  /** As of now: 0 until the request has ended. */
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  isEstimated: boolean
}

/** A line of an account's ledger. */
export interface LedgerEntry {
  /** Position among the account's lines, from 1. */
  position: number
  kind: EntryRow['kind']
  taskId: string | null
  /** The forwarded request that caused it; null: a task or nothing. */
  request: LedgerRequest | null
  /** The addition to the balance. */
  microCredits: number
  /** The addition to the held credits. */
  heldMicroCredits: number
  balanceAfterMicroCredits: number
  /** Never before the time of the preceding line. */
  atMs: number
  note: string | null
  /** Only for a grant that expires. */
  expiresAtMs: number | null
}

/** The position of a line in its ledger. */
export type EntryPlace = Pick<LedgerEntry, 'position' | 'atMs'>

export interface EntryListQuery {
  accountNo: number
  limit: number
  /** Only lines before this one. */
  before?: EntryPlace
  kind?: EntryRow['kind']
  taskId?: string
  /** Unix milliseconds: lines at or after the first time, and before the second. */
  createdFromMs?: number
  createdUntilMs?: number
}

export interface CreditsReport {
  accounts: number
  entries: number
  holds: number
  /** Descriptions of accounts and tasks whose figures disagree. */
  differences: string[]
}
