import type { RequestOptions } from './call-options.ts'
import { readPage, type Page } from './page.ts'
import type { Transport } from './transport.ts'

/** What an account can spend. */
export interface Balance {
  object: 'credits'
  /** Credits that can be spent; held ones are not among them. */
  balance: number
  /** Credits that queued and processing tasks have reserved. */
  held: number
  /** The part of the balance that expires, soonest first, at most 100 entries. `expires_at` is in Unix seconds. */
  expiring: { amount: number; expires_at: number }[]
}

/**
 * `hold`: a task was accepted. `settle`: it was completed and charged. `release`: it failed or was cancelled, and all of its credits
 * came back. `grant`, `adjust`: the operator gave credits or corrected the balance. `expire`: the rest of a grant was taken off.
 */
export type CreditEntryKind = 'grant' | 'hold' | 'settle' | 'release' | 'adjust' | 'expire'

/** A line of the account's ledger. It never changes. */
export interface CreditEntry {
  id: string
  object: 'credit_entry'
  kind: CreditEntryKind
  /** Credits that it added to the balance; negative when it took some. */
  amount: number
  /** Credits that it added to what tasks hold; negative when it took some. */
  held: number
  balance_after: number
  /** The id of the task; null for entries without one. */
  task: string | null
  /** The operator's note on a grant or a correction. */
  note: string | null
  /** When the rest of a grant is taken off, Unix seconds; null for never. */
  expires_at: number | null
  /** Unix seconds. */
  created: number
}

export interface CreditEntryListOptions extends RequestOptions {
  /** Only entries of this kind. Default: all. */
  kind?: CreditEntryKind | undefined
  /** Only entries of the task with this id. Default: all. */
  task?: string | undefined
  /** Unix seconds; that second is included. Default: no bound. */
  created_after?: number | undefined
  /** Unix seconds; that second is not included. Default: no bound. */
  created_before?: number | undefined
  /** Entries on a page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the page before. Default: the first page. */
  cursor?: string | undefined
}

export interface Credits {
  /** What this account can spend and what its tasks hold. */
  balance(options?: RequestOptions): Promise<Balance>
  /** This account's ledger, newest first: `for await (const entry of await client.credits.entries())` sees all of it. */
  entries(options?: CreditEntryListOptions): Promise<Page<CreditEntry>>
}

const path = '/v2/credits'

export function createCredits(transport: Transport): Credits {
  return {
    balance: async (options) => (await transport.call<Balance>({ method: 'GET', path }, options)).body,

    entries({ signal, timeoutSeconds, maxRetries, onRetry, cursor: first, ...filters } = {}) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      const read = async (cursor?: string) => {
        const call = { method: 'GET', path: `${path}/entries`, query: { ...filters, cursor } } as const
        return (await transport.call<Page<CreditEntry>>(call, options)).body
      }
      return readPage(read, first)
    },
  }
}
