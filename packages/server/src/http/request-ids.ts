import { randomBytes } from 'node:crypto'

const idDigits = 18
const idsPerPool = 1_024

/**
 * Returns a function that generates request ids, which clients quote in support requests. The ids
 * are random, so that a client can neither count the requests of others nor find out whether two
 * brands are served by the same process.
 */
export function createRequestIds(): () => string {
  let random = ''
  let usedDigits = 0
  return () => {
    if (usedDigits === random.length) {
      random = randomBytes((idDigits / 2) * idsPerPool).toString('hex')
      usedDigits = 0
    }
    usedDigits += idDigits
    return `req_${random.slice(usedDigits - idDigits, usedDigits)}`
  }
}
