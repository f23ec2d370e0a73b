import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

export const credentialFormat =
  'an API key, an access token (ya29.… or, for any other, Bearer and the token), or the JSON of a service account'

const tokenLifetimeMs = 60 * 60_000
/** Time before its expiry at which a token is replaced. */
const renewalMarginMs = 5 * 60_000
const scope = 'https://www.googleapis.com/auth/cloud-platform'

interface ServiceAccount {
  email: string
  keyId: string
  key: KeyObject
}

export function isCredential(credential: string): boolean {
  return credential !== '' && (!credential.startsWith('{') || serviceAccountIn(credential) !== null)
}

/**
 * Returns a function that creates the authorization header of a request. For a service account, it
 * signs a JWT with the scope, which Google's services accept in place of an access token.
 */
export function authorizationOf(credential: string, clock: Clock): () => Record<string, string> {
  if (credential.startsWith('Bearer ')) return () => ({ authorization: credential })
  if (credential.startsWith('ya29.')) return () => ({ authorization: `Bearer ${credential}` })
  const account = credential.startsWith('{') ? serviceAccountIn(credential) : null
  if (account === null) return () => ({ 'x-goog-api-key': credential })
  let token = ''
  let expiresAtMs = 0
  return () => {
    const nowMs = clock()
    // A token from the future was signed before the clock was set back. Google rejects it.
    if (nowMs > expiresAtMs - renewalMarginMs || nowMs < expiresAtMs - tokenLifetimeMs) {
      token = tokenOf(account, nowMs)
      expiresAtMs = nowMs + tokenLifetimeMs
    }
    return { authorization: `Bearer ${token}` }
  }
}

function tokenOf({ email, keyId, key }: ServiceAccount, nowMs: number): string {
  const issuedAtSeconds = Math.floor(nowMs / 1000)
  const claims = { iss: email, sub: email, scope, iat: issuedAtSeconds, exp: issuedAtSeconds + tokenLifetimeMs / 1000 }
  const signedParts = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signedParts}.${sign('sha256', Buffer.from(signedParts), key).toString('base64url')}`
}

function serviceAccountIn(credential: string): ServiceAccount | null {
  try {
    const account = objectIn(JSON.parse(credential))
    const email = textIn(account['client_email'])
    const key = createPrivateKey(textIn(account['private_key']))
    return email === '' || key.asymmetricKeyType !== 'rsa' ? null : { email, keyId: textIn(account['private_key_id']), key }
  } catch {
    return null
  }
}
