import { getHeapStatistics } from 'node:v8'

/** Limits of forwarded requests. */
export interface ForwardLimits {
  /** Maximum time for which a request waits for a free slot of a route. */
  slotWaitMs: number
  /** Interval at which a waiting request checks whether another process has released a slot. */
  slotPollMs: number
  /**
   * Maximum time for which the service reads a response after the client has disconnected. The
   * token usage is at the end of a response.
   */
  drainMs: number
  /** Maximum size of one event of a stream. */
  eventBytesMax: number
  /** Maximum size of a response that is not a stream. */
  responseBytesMax: number
  /**
   * Maximum number of concurrent forwarded requests of this process, including those that wait for
   * a slot.
   */
  requestsMax: number
  /**
   * Maximum memory for the bodies of all requests. Each body is kept until its response is complete,
   * and its copy for the upstream uses the same amount of memory outside the heap.
   */
  bodyBytesMax: number
  /** Maximum memory for the bodies of requests that wait for a slot. */
  waitingBytesMax: number
  /**
   * Duration of a request's lease. If its process does not renew the lease in time, the request
   * counts as abandoned.
   */
  leaseMs: number
  /** Interval at which the leases of this process are renewed. */
  renewMs: number
  /** Interval at which abandoned requests of all processes are ended. */
  sweepMs: number
}

export const defaultForwardLimits: ForwardLimits = {
  slotWaitMs: 10_000,
  slotPollMs: 100,
  drainMs: 30_000,
  eventBytesMax: 8 * 1024 * 1024,
  responseBytesMax: 16 * 1024 * 1024,
  requestsMax: 10_000,
  bodyBytesMax: getHeapStatistics().heap_size_limit / 4,
  waitingBytesMax: 256 * 1024 * 1024,
  leaseMs: 60_000,
  renewMs: 20_000,
  sweepMs: 15_000,
}
