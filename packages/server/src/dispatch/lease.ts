/**
 * Duration of a lease: three times the renewal interval of the dispatcher, so that a process loses
 * no lease to a single failed or late renewal.
 */
export const leaseMs = 30_000
