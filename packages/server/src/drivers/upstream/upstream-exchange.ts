/** One request to an upstream and its response, as reported to telemetry. */
export interface UpstreamExchange {
  method: string
  /** URL without the query, which may contain a key. */
  url: string
  startedAtMs: number
  endedAtMs: number
  /** Null if no response arrived. */
  status: number | null
}
