import type { RequestOptions } from './call-options.ts'
import type { Transport } from './transport.ts'

export type UsageDimension = 'day' | 'model' | 'key'

export interface UsageCounts {
  /** Number of completed tasks and forwarded requests (such as chats). */
  completed: number
  /** Number of failed or cancelled tasks and forwarded requests. */
  failed: number
  /** Charged credits. */
  charged: number
  /** Seconds of generated video. */
  seconds: number
  /** Input tokens of requests for models that are priced by tokens. */
  input_tokens: number
  /** Input tokens that providers read from their caches. */
  cached_input_tokens: number
  /** Output tokens of requests for models that are priced by tokens. */
  output_tokens: number
}

export interface UsageRow extends UsageCounts {
  /**
   * Day on which the tasks were accepted (UTC), such as `2026-01-15`. Present only if `by` includes
   * `day`.
   */
  day?: string
  /** Model ID. Present only if `by` includes `model`. */
  model?: string
  /**
   * Id of the API key; null for tasks without a recorded key. Present only if `by` includes `key`.
   */
  key?: string | null
}

/** An account's usage: its ended tasks and its ended forwarded requests. */
export interface UsageReport {
  object: 'usage'
  /** First day of the report (UTC), such as `2026-01-01`. */
  from: string
  /** Last day of the report, inclusive (UTC), such as `2026-01-31`. */
  until: string
  rows: UsageRow[]
  total: UsageCounts
}

export interface UsageOptions extends RequestOptions {
  /** The first day, UTC, such as `2026-01-15`. Default: 29 days before the last day. */
  from?: string | undefined
  /** The last day, UTC. The range is at most 366 days. Default: today. */
  until?: string | undefined
  /** Groups the rows by one dimension, or by a combination of several. Default: `day`. */
  by?: UsageDimension | readonly UsageDimension[] | undefined
}

export interface Usage {
  /** Returns the counts and credits of this account's ended tasks and forwarded requests. */
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
