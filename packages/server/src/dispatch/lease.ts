/**
 * Duration of a lease: three times the renewal interval, so that only a dead or frozen process
 * loses a lease.
 */
export const leaseMs = 30_000
