/**
 * Returns the time in Unix milliseconds. Code whose behavior depends on time receives a clock as an
 * argument, so that tests can control the time.
 */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
