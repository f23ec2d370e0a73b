import type { JsonLimits } from '../lib/json-shape.ts'
import type { TransferPace } from './connections/transfer-pace.ts'

/** Limits of the HTTP layer. */
export interface HttpLimits {
  bodyBytesMax: number
  /**
   * For a body that may hold images: 12 MiB of data URIs, which is the most that a model accepts,
   * and the other fields.
   */
  imagesBodyBytesMax: number
  /**
   * Memory for all request bodies that have begun to arrive but are incomplete. `ArrivingMemory`
   * divides it.
   */
  arrivingBytesMax: number
  /** A request whose body arrives more slowly is refused, and its connection is closed. */
  arrivingPace: TransferPace
  /** Request line and headers together. */
  headerBytesMax: number
  headersTimeoutMs: number
  /** Time limit of the whole request, including its body. */
  requestTimeoutMs: number
  /** Interval at which connections are checked for the two timeouts. */
  timeoutCheckMs: number
  /**
   * A connection without a request is closed after this time, which is longer than the polling
   * interval that the service requests.
   */
  keepAliveTimeoutMs: number
  /**
   * A connection without traffic in either direction is closed after this time, which is longer
   * than a query is held.
   */
  silenceMs: number
  /**
   * Maximum number of connections; further ones are closed at once. Half of the system's limit of
   * open files also applies, because files need descriptors too.
   */
  connectionsMax: number
  /** Maximum number of requests on one connection that wait for earlier responses. */
  pipelinedMax: number
  /** The connection of a client that reads a file more slowly is closed. */
  readingPace: TransferPace
  /** Maximum number of queries held at the same time; further ones get a response at once. */
  heldRequestsMax: number
  /** Maximum number of open event streams. */
  streamsMax: number
  /** How long a request for images in OpenAI's form waits for them. */
  imagesWaitMs: number
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
  // A single key may open a third of them.
  streamsMax: 40_000,
  // OpenAI's clients give up after ten minutes. The response must come before.
  imagesWaitMs: 9.5 * 60_000,
}

/** For conversations of any length, whose tools have schemas. Parsing such a body takes some tens of milliseconds. */
export const deepJsonLimits: JsonLimits = { depthMax: 64, itemsMax: 200_000, bytesOutsideStringsMax: 4 * 1024 * 1024 }

/** The deepest valid request has two levels, and the largest has a few hundred items. */
export const jsonLimits: JsonLimits = { depthMax: 16, itemsMax: 10_000, bytesOutsideStringsMax: 1024 * 1024 }
