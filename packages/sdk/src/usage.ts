import type { RequestOptions } from './call-options.ts'
import type { Transport } from './transport.ts'

export type UsageDimension = 'day' | 'model' | 'key'

export interface UsageCounts {
  /** Tasks that were completed. */
  completed: number
  /** Tasks that failed or were cancelled. */
  failed: number
  /** Credits. */
  charged: number
  /** Of produced video. */
  seconds: number
}

export interface UsageRow extends UsageCounts {
  /** The day on which the tasks were accepted, UTC, such as `2026-01-15`; with `day` in `by`. */
  day?: string
  /** With `model` in `by`. */
  model?: string
  /** The id of the API key, null for tasks that name none; with `key` in `by`. */
  key?: string | null
}

/** What the ended tasks of an account have used. */
export interface UsageReport {
  object: 'usage'
  /** The first day. */
  from: string
  /** The last day. */
  until: string
  rows: UsageRow[]
  total: UsageCounts
}

export interface UsageOptions extends RequestOptions {
  /** The first day, UTC, such as `2026-01-15`. Default: 30 days with the last one. */
  from?: string | undefined
  /** The last day, UTC; at most 366 days. Default: today. */
  until?: string | undefined
  /** Each row is one of these, or one combination of several. Default: `day`. */
  by?: UsageDimension | readonly UsageDimension[] | undefined
}

export interface Usage {
  /** Counts and credits of this account's ended tasks. */
  get(options?: UsageOptions): Promise<UsageReport>
}

export function createUsage(transport: Transport): Usage {
  return {
    async get({ from, until, by, ...options } = {}) {
      const query = { from, until, by: by?.toString() }
      return (await transport.call<UsageReport>({ method: 'GET', path: '/v2/usage', query }, options)).body
    },
  }
}
