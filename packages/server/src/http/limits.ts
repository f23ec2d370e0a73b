import type { JsonLimits } from '../lib/json-shape.ts'
import type { TransferPace } from './transfer-pace.ts'

/** The bounds of the HTTP side. */
export interface HttpLimits {
  /** Size of a request body. */
  bodyBytesMax: number
  /** Size of a request body that may hold images: room for 12 MiB of data URIs, the most that a model takes, and for the rest. */
  imagesBodyBytesMax: number
  /** Memory of all request bodies that have begun to arrive and are not complete. `ArrivingMemory` divides it. */
  arrivingBytesMax: number
  /** A request body that arrives more slowly is refused, and its connection closed. */
  arrivingPace: TransferPace
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
  /** The connection of a client that takes a file more slowly is closed. */
  readingPace: TransferPace
  /** Queries that are held at the same time; further ones are answered at once. */
  heldRequestsMax: number
}

export const defaultLimits: HttpLimits = {
  bodyBytesMax: 1024 * 1024,
  imagesBodyBytesMax: 16 * 1024 * 1024,
  arrivingBytesMax: 256 * 1024 * 1024,
  arrivingPace: { bytesPerSecondMin: 1024, windowMs: 10_000 },
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

/** The deepest valid request has two levels, and the one with the most items a few hundred. */
export const jsonLimits: JsonLimits = { depthMax: 16, itemsMax: 10_000, bytesOutsideStringsMax: 1024 * 1024 }
