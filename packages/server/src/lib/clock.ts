/** Unix milliseconds. Passed in wherever time decides something, so that tests can choose it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
