import type { ReadingPace } from './slow-readers.ts'

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
  /** A connection on which nothing moves in either direction is closed after this long: longer than a query is held. */
  silenceMs: number
  /** Further connections are closed at once. Never more than half of what the system allows: files need their share. */
  connectionsMax: number
  /** Requests of one connection that wait for the answers before theirs. */
  pipelinedMax: number
  /** Whoever takes a file more slowly is hung up on. */
  readingPace: ReadingPace
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
  silenceMs: 120_000,
  connectionsMax: 20_000,
  pipelinedMax: 256,
  readingPace: { bytesPerSecondMin: 1024, windowMs: 60_000 },
  heldRequestsMax: 10_000,
}

/** Arrays and objects within one another; the deepest valid request has two. */
export const jsonDepthMax = 16
