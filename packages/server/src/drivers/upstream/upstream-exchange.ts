/** One request to an upstream and its response, as reported to telemetry. */
export interface UpstreamExchange {
  method: string
  /** Address without its query, because the query may contain a key. */
  url: string
  startedAtMs: number
  endedAtMs: number
  /** Null if no response arrived. */
  status: number | null
}
