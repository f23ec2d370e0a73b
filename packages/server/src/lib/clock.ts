/**
 * Returns Unix milliseconds. Passed in wherever time affects behavior, so that tests can control
 * it.
 */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
