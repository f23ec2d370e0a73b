import { randomBytes } from 'node:crypto'

/** Ids for requests: a random name of this process and a counter. Unique, not secret; clients quote them when they ask for help. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(6).toString('hex')}`
  let count = 0
  return () => prefix + (count++).toString(36).padStart(6, '0')
}
