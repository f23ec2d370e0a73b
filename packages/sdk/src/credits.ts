import type { RequestOptions } from './call-options.ts'
import { readPage, type Page } from './page.ts'
import type { Transport } from './transport.ts'

/** Spendable and held credits of an account. */
export interface Balance {
  object: 'credits'
  /** Credits that the account can spend. Held credits are not included. */
  balance: number
  /** Credits that unfinished tasks and forwarded requests (such as chats) have reserved. */
  held: number
  /**
   * The parts of the balance that expire, soonest first, at most 100. `expires_at` is in Unix
   * seconds.
   */
  expiring: { amount: number; expires_at: number }[]
}

/**
 * Kind of a ledger entry:
 *
 *   grant     the operator gave credits
 *   hold      a task or forwarded request was accepted, and credits were reserved for it
 *   settle    a task or forwarded request was charged, and the rest of its hold was returned
 *   release   a task or forwarded request ended without a charge, and its whole hold was returned
 *   adjust    the operator corrected the balance
 *   expire    the unspent rest of a grant expired
 */
export type CreditEntryKind = 'grant' | 'hold' | 'settle' | 'release' | 'adjust' | 'expire'

/** A request for a token model. Token counts are 0 until the request has ended. */
export interface CreditRequest {
  /** The `X-Request-Id` of the request. */
  id: string
  model: string
  input_tokens: number
  /** Input tokens that the provider read from its cache. */
  cached_input_tokens: number
  output_tokens: number
  /** Whether the token counts are estimates, because the provider reported no usage. */
  estimated: boolean
}

/** An entry of the account's ledger. Entries never change. */
export interface CreditEntry {
  id: string
  object: 'credit_entry'
  kind: CreditEntryKind
  /** Change of the balance in credits; negative if it fell. */
  amount: number
  /** Change of the held credits; negative if they fell. */
  held: number
  balance_after: number
  /** The id of the task; null for entries without a task. */
  task: string | null
  /** The forwarded request that caused the entry; null for other entries. */
  request: CreditRequest | null
  /** The operator's note on a `grant` or `adjust` entry. */
  note: string | null
  /** Expiry of a grant, Unix seconds; null for never. */
  expires_at: number | null
  /** Unix seconds. */
  created: number
}

export interface CreditEntryListOptions extends RequestOptions {
  /** Only entries of this kind. Default: all. */
  kind?: CreditEntryKind | undefined
  /** Only entries of the task with this id. Default: all. */
  task?: string | undefined
  /** Only entries created at this time or later, Unix seconds. Default: no limit. */
  created_after?: number | undefined
  /** Only entries created before this time, Unix seconds. Default: no limit. */
  created_before?: number | undefined
  /** Entries per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface Credits {
  /** Returns this account's spendable and held credits. */
  balance(options?: RequestOptions): Promise<Balance>
  /**
   * Lists this account's ledger, newest first.
   * `for await (const entry of await client.credits.entries())` iterates over all entries.
   */
  entries(options?: CreditEntryListOptions): Promise<Page<CreditEntry>>
}

const path = '/v2/credits'

export function createCredits(transport: Transport): Credits {
  return {
    balance: async (options) => (await transport.call<Balance>({ method: 'GET', path }, options)).body,

    entries({ signal, timeoutSeconds, maxRetries, onRetry, cursor: initialCursor, ...filters } = {}) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      const fetchPage = async (cursor?: string) => {
        const call = { method: 'GET', path: `${path}/entries`, query: { ...filters, cursor } } as const
        return (await transport.call<Page<CreditEntry>>(call, options)).body
      }
      return readPage(fetchPage, initialCursor)
    },
  }
}
