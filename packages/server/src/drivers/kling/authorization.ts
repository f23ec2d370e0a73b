import { createHmac } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

const keyPairPattern = /^([^:\s]+):([^:\s]+)$/
const tokenSeconds = 1800
/** Tolerance for a provider whose clock is behind this machine's clock. */
const clockSkewSeconds = 5

/** Whether a string has the form of a credential: an API key, or `ACCESS_KEY:SECRET_KEY`. */
export function isCredential(credential: string): boolean {
  return keyPairPattern.test(credential) || /^[^:\s]+$/.test(credential)
}

/**
 * Returns the `Authorization` header. An API key is sent unchanged. A key pair signs a new JWT
 * (HS256) for each request.
 */
export function authorizationOf(credential: string, clock: Clock): { authorization: string } {
  const [, accessKey, secretKey] = keyPairPattern.exec(credential) ?? []
  if (accessKey === undefined || secretKey === undefined) return { authorization: `Bearer ${credential}` }
  const nowSeconds = Math.floor(clock() / 1000)
  const claims = { iss: accessKey, exp: nowSeconds + tokenSeconds, nbf: nowSeconds - clockSkewSeconds }
  const signedText = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claims)}`
  return { authorization: `Bearer ${signedText}.${createHmac('sha256', secretKey).update(signedText).digest('base64url')}` }
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
