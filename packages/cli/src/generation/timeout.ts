import { wholeNumber } from './generation-options.ts'

export const defaultTimeoutSeconds = 3600
const timeoutSecondsMax = 7 * 24 * 3600

export const wholeSeconds = wholeNumber(1, timeoutSecondsMax)
