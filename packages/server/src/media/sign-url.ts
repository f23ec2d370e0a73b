import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Links to results and uploads. A client with a link may read that one object until the link
 * expires, without a key.
 *
 *   {publicUrl}{basePath}/media/{objectKey}?expires={Unix seconds}&signature={base64url}
 *
 * The signature is HMAC-SHA256 over a fixed first line (so that the key can sign nothing else by
 * accident), the object key and the expiry. The expiry is rounded up to the whole minute, or to a
 * sixtieth of a shorter TTL. All links made to a file within that time are therefore the same,
 * and a link lives for the TTL and at most that much longer.
 */
export interface UrlSigner {
  sign(objectKey: string, nowSeconds: number, link?: LinkOptions): SignedUrl
  /** Takes `expires` and `signature` as they stand in the query. */
  verify(objectKey: string, expires: string, signature: string, nowSeconds: number): SignatureVerdict
}

export interface LinkOptions {
  /** Replaces the public URL: every origin that leads here serves every link. */
  origin?: string | null | undefined
  /** Replaces the TTL, without rounding. */
  linkSeconds?: number | undefined
}

export interface SignedUrl {
  url: string
  /** Unix seconds. */
  expiresAt: number
}

/** Only a genuine link can be `expired`. */
export type SignatureVerdict = 'valid' | 'expired' | 'invalid'

export interface UrlSignerOptions {
  /** At least 32 random bytes. */
  key: Buffer
  /**
   * Origin: scheme, host and port, no slash at the end. It is read for each URL, because a free
   * port is known only once the service listens.
   */
  publicUrl: () => string
  /** Starts with a slash and does not end with one; empty for none. */
  basePath: string
  ttlSeconds: number
}

const keyBytesMin = 32
const expiryStepSecondsMax = 60
const stepsPerLife = 60
// Sixteen digits would no longer be exact, and a leading zero would be a second spelling of the
// same link.
const expiresPattern = /^[1-9][0-9]{0,14}$/

export function createUrlSigner({ key, publicUrl, basePath, ttlSeconds }: UrlSignerOptions): UrlSigner {
  if (key.byteLength < keyBytesMin) throw new RangeError(`the key that signs URLs has at least ${keyBytesMin} bytes`)

  function signatureOf(objectKey: string, expires: string): string {
    return createHmac('sha256', key).update(`framegate media url 1\n${objectKey}\n${expires}`).digest('base64url')
  }

  const stepSeconds = Math.max(1, Math.min(expiryStepSecondsMax, Math.floor(ttlSeconds / stepsPerLife)))

  return {
    sign(objectKey, nowSeconds, { origin, linkSeconds } = {}) {
      const expiresAt =
        linkSeconds === undefined ? Math.ceil((nowSeconds + ttlSeconds) / stepSeconds) * stepSeconds : nowSeconds + linkSeconds
      const signature = signatureOf(objectKey, String(expiresAt))
      return {
        url: `${origin ?? publicUrl()}${basePath}/media/${encodeURIComponent(objectKey)}?expires=${expiresAt}&signature=${signature}`,
        expiresAt,
      }
    },

    verify(objectKey, expires, signature, nowSeconds) {
      if (!expiresPattern.test(expires)) return 'invalid'
      // Compared as text: base64url has several spellings of the same bytes, and only ours is
      // valid.
      const expected = Buffer.from(signatureOf(objectKey, expires))
      const given = Buffer.from(signature)
      if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return 'invalid'
      return nowSeconds < Number(expires) ? 'valid' : 'expired'
    },
  }
}
