import type { HttpThreads } from '../threads/http-threads.ts'

/** The part of the service's state that changes while it starts, runs and closes. */
export interface ServiceState {
  /**
   * Origin of the URLs that clients and upstreams get. Empty until the service listens, unless it is
   * configured.
   */
  origin: string
  isClosing: boolean
  /**
   * Time after the start of a shutdown within which clients may send a request on a connection that
   * is open, in milliseconds.
   */
  connectionGraceMs: number
  /** Null: the main thread serves all requests. */
  httpThreads: HttpThreads | null
}
