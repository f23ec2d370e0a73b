import { randomBytes } from 'node:crypto'

/**
 * Generates request ids from a random prefix per process and a counter. The ids are unique but not
 * secret. Clients quote them in support requests.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(6).toString('hex')}`
  let count = 0
  return () => prefix + (count++).toString(36).padStart(6, '0')
}
