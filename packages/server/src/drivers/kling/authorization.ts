import { createHmac } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

const pair = /^([^:\s]+):([^:\s]+)$/
const tokenSeconds = 1800
/** The provider's clock may be behind the clock of this machine. */
const skewSeconds = 5

/** Whether a text is a credential: an API key, or `ACCESS_KEY:SECRET_KEY`. */
export function isCredential(credential: string): boolean {
  return pair.test(credential) || /^[^:\s]+$/.test(credential)
}

/**
 * Returns the authorization header. An API key is sent unchanged. A pair of keys signs a new JWT
 * (HS256) for each request.
 */
export function authorization(credential: string, clock: Clock): { authorization: string } {
  const [, accessKey, secretKey] = pair.exec(credential) ?? []
  if (accessKey === undefined || secretKey === undefined) return { authorization: `Bearer ${credential}` }
  const now = Math.floor(clock() / 1000)
  const claims = { iss: accessKey, exp: now + tokenSeconds, nbf: now - skewSeconds }
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return { authorization: `Bearer ${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}` }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
