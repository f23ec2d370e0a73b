import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Callback, CallbackVerification } from '../driver.ts'
import type { CallUpstream } from '../upstream/call-upstream.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'

/**
 * Creates a verifier of webhooks. The Ed25519 signature covers four lines: request id, user id,
 * timestamp, and the SHA-256 of the body in hex. It may be made with any of the published keys. The
 * verifier throws if the keys cannot be fetched, so that the upstream sends the callback again.
 */
export function createWebhookVerifier(
  keysUrl: string,
  call: CallUpstream,
  clock: Clock,
): (callback: Callback) => Promise<CallbackVerification> {
  let cachedKeys: { keys: KeyObject[]; readAtMs: number } | undefined

  async function readKeys(ageMsMax: number): Promise<KeyObject[]> {
    if (cachedKeys !== undefined && Math.abs(clock() - cachedKeys.readAtMs) <= ageMsMax) return cachedKeys.keys
    const response = await call({
      method: 'GET',
      url: keysUrl,
      signal: AbortSignal.timeout(keysTimeoutMs),
      bytesMax: keysBytesMax,
    })
    const keys = listIn(objectIn(response.json)['keys']).flatMap(readKey)
    if (keys.length === 0) throw new Error(`the request for the callback keys returned ${describeUnusable(response, 'keys')}`)
    cachedKeys = { keys, readAtMs: clock() }
    return keys
  }

  return async ({ headers, body }) => {
    const timestamp = headers['x-fal-webhook-timestamp'] ?? ''
    const signature = Buffer.from(headers['x-fal-webhook-signature'] ?? '', 'hex')
    const isCurrent = /^\d{1,12}$/.test(timestamp) && Math.abs(clock() - Number(timestamp) * 1000) <= replayWindowMs
    if (signature.length !== signatureBytes || !isCurrent) return { trust: 'forged' }
    const lines = [
      headers['x-fal-webhook-request-id'] ?? '',
      headers['x-fal-webhook-user-id'] ?? '',
      timestamp,
      createHash('sha256').update(body).digest('hex'),
    ]
    const signedBytes = Buffer.from(lines.join('\n'))
    const isSigned = (keys: KeyObject[]) => keys.some((key) => verify(null, signedBytes, key, signature))
    const isGenuine = isSigned(await readKeys(keysAgeMsMax)) || isSigned(await readKeys(keysRefreshMsMin))
    return { trust: isGenuine ? 'signed' : 'forged' }
  }
}

const replayWindowMs = 5 * 60_000
const signatureBytes = 64
const keysAgeMsMax = 24 * 3_600_000
/**
 * Minimum time between fetches of the keys. A signature that matches no cached key may be made with
 * a newer one, so the keys are fetched again. The minimum limits the number of fetches that forged
 * callbacks cause.
 */
const keysRefreshMsMin = 5 * 60_000
const keysTimeoutMs = 10_000
const keysBytesMax = 64 * 1024

/** Returns the key in a list, which is empty if the key is invalid. */
function readKey(jwk: unknown): KeyObject[] {
  const x = textIn(objectIn(jwk)['x'])
  try {
    return [createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })]
  } catch {
    return []
  }
}
