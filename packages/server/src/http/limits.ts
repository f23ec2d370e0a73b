import type { JsonLimits } from '../lib/json-shape.ts'
import type { BodyLimits } from './bodies/parse-json-body.ts'
import { openFilesMax } from '../lib/open-files-max.ts'
import type { TransferPace } from './connections/transfer-pace.ts'

export interface HttpLimits {
  bodyBytesMax: number
  /**
   * Maximum size of a body that may contain images. It is large enough for the other fields and 12
   * MiB of data URIs, the highest limit of any model.
   */
  imagesBodyBytesMax: number
  /**
   * Memory for all request bodies that arrive in several chunks. `IncomingMemory` divides it among
   * accounts.
   */
  incomingBytesMax: number
  /** Minimum rate of a request body. A slower request is rejected, and its connection is closed. */
  incomingPace: TransferPace
  /** Maximum size of the request line and the headers together. */
  headerBytesMax: number
  headersTimeoutMs: number
  /** Maximum time to receive a complete request, including its body. */
  requestTimeoutMs: number
  /** Interval at which connections are checked for `headersTimeoutMs` and `requestTimeoutMs`. */
  timeoutCheckMs: number
  /**
   * Time after which a connection without a request is closed. It is longer than the recommended
   * polling interval.
   */
  keepAliveTimeoutMs: number
  /**
   * Time after which a connection without traffic in either direction is closed. It is longer than
   * any long poll.
   */
  silenceMs: number
  /**
   * Maximum number of connections. The server also limits it to half of the process's file
   * descriptors, because files need descriptors too. Additional connections are closed immediately.
   */
  connectionsMax: number
  /** Maximum number of requests on one connection that wait for earlier responses. */
  pipelinedMax: number
  /** Minimum rate at which a client must read a file. A slower client's connection is closed. */
  readingPace: TransferPace
  /** Maximum number of simultaneous long polls. Additional ones get a response immediately. */
  longPollsMax: number
  /** Maximum number of open event streams. */
  streamsMax: number
  /** Maximum time for which a request to OpenAI's image API waits for its images. */
  imagesWaitTimeoutMs: number
}

export const defaultLimits: HttpLimits = {
  bodyBytesMax: 1024 * 1024,
  imagesBodyBytesMax: 16 * 1024 * 1024,
  incomingBytesMax: 256 * 1024 * 1024,
  incomingPace: { bytesPerSecondMin: 1024, windowMs: 10_000 },
  headerBytesMax: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  timeoutCheckMs: 2_000,
  keepAliveTimeoutMs: 72_000,
  silenceMs: 120_000,
  connectionsMax: 20_000,
  pipelinedMax: 256,
  readingPace: { bytesPerSecondMin: 1024, windowMs: 60_000 },
  longPollsMax: 10_000,
  // A single key may open about a third of these streams.
  streamsMax: 40_000,
  // OpenAI's clients time out after ten minutes. The response must be sent before that.
  imagesWaitTimeoutMs: 9.5 * 60_000,
}

/**
 * Returns the limits of one thread of a process in which `threadCount` threads serve requests: the
 * main thread and the HTTP threads. The threads share the limit on connections. A request that an
 * HTTP thread passes to the main thread takes three file descriptors instead of one.
 */
export function limitsOfThread(threadCount: number): Pick<HttpLimits, 'connectionsMax'> {
  const { connectionsMax } = defaultLimits
  if (threadCount === 1) return { connectionsMax }
  const allConnectionsMax = Math.min(connectionsMax, Math.floor(openFilesMax() / 2 / descriptorsPerPassedRequest))
  return { connectionsMax: Math.floor(allConnectionsMax / threadCount) }
}

const descriptorsPerPassedRequest = 3

/**
 * Limits for bodies with long conversations and tool schemas. Parsing a body at these limits takes
 * tens of milliseconds.
 */
export const deepJsonLimits: BodyLimits = {
  depthMax: 64,
  itemsMax: 200_000,
  bytesOutsideStringsMax: 4 * 1024 * 1024,
  keepsNumbers: true,
}

/** Limits for all other bodies. A submit has a few levels and at most a few hundred items. */
export const jsonLimits: JsonLimits = { depthMax: 16, itemsMax: 10_000, bytesOutsideStringsMax: 1024 * 1024 }
