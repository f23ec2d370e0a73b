/**
 * Returns the time in Unix milliseconds. Passed as an argument to code that depends on time, so
 * that tests can control it.
 */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
