/** One request to an upstream and its response, as reported to telemetry. */
export interface UpstreamExchange {
  method: string
  /** Without the query, which may contain a key. */
  url: string
  startedAtMs: number
  endedAtMs: number
  /** Null when no response arrived. */
  status: number | null
}
