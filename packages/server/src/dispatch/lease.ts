/** Three times the renewal interval: only a dead or frozen process loses a lease. */
export const leaseMs = 30_000
