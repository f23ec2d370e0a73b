/** Limits of forwarded requests. */
export interface ForwardLimits {
  /** How long a request waits for a free slot of a route. */
  slotWaitMs: number
  /** How often a waiting request looks for a free slot, if none was given back in this process. */
  slotPollMs: number
  /** How long a response is read on for its usage after the client has disconnected. */
  drainMs: number
  eventBytesMax: number
  /** For a response that is not a stream. */
  responseBytesMax: number
  /** Requests that this process forwards at the same time, those that wait included. */
  requestsMax: number
  /** Memory for the bodies of requests that wait for a slot. */
  waitingBytesMax: number
  /** A request whose process does not renew its lease for this long counts as abandoned. */
  leaseMs: number
  renewMs: number
  sweepMs: number
}

export const defaultForwardLimits: ForwardLimits = {
  slotWaitMs: 10_000,
  slotPollMs: 100,
  drainMs: 30_000,
  eventBytesMax: 8 * 1024 * 1024,
  responseBytesMax: 16 * 1024 * 1024,
  requestsMax: 10_000,
  waitingBytesMax: 256 * 1024 * 1024,
  leaseMs: 60_000,
  renewMs: 20_000,
  sweepMs: 15_000,
}
