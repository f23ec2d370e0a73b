/** The bounds of the HTTP side. */
export interface HttpLimits {
  /** Of a request body. Room for 12 MiB of data URIs, the most that a model takes, and for what stands around them. */
  bodyBytesMax: number
  /** Of all request bodies that have begun to arrive and are not complete. */
  arrivingBytesMax: number
  /** Request line and headers together. */
  headerBytesMax: number
  headersTimeoutMs: number
  /** For the whole request, body included. */
  requestTimeoutMs: number
  /** How often connections are looked over for the two timeouts. */
  timeoutCheckMs: number
  /** A connection without a request is closed after this long: longer than the polling interval that we ask for. */
  keepAliveTimeoutMs: number
  /** Queries that are held at the same time; further ones are answered at once. */
  heldRequestsMax: number
}

export const defaultLimits: HttpLimits = {
  bodyBytesMax: 16 * 1024 * 1024,
  arrivingBytesMax: 256 * 1024 * 1024,
  headerBytesMax: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  timeoutCheckMs: 2_000,
  keepAliveTimeoutMs: 72_000,
  heldRequestsMax: 10_000,
}

/** Arrays and objects within one another; the deepest valid request has two. */
export const jsonDepthMax = 16
