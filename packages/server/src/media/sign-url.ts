import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Creates and verifies links to results, previews and assets. A client with a link may read one
 * file without an API key until the link expires.
 *
 *   {publicUrl}{basePath}/media/{objectKey}?expires={Unix seconds}&signature={base64url}
 *
 * The signature is an HMAC-SHA256 over a fixed first line, the object key and the expiry. The fixed
 * line keeps signatures with this key from being valid for other purposes. The expiry is rounded up
 * to a multiple of a minute, or of a sixtieth of the TTL if the TTL is shorter than an hour. All
 * links to a file that are created within such an interval are therefore the same, and a link may
 * be valid for up to one interval longer than the TTL.
 */
export interface UrlSigner {
  sign(objectKey: string, nowSeconds: number, link?: LinkOptions): SignedUrl
  /** Verifies `expires` and `signature`, as they are in the query. */
  verify(objectKey: string, expires: string, signature: string, nowSeconds: number): SignatureVerdict
}

export interface LinkOptions {
  /** Replaces the origin of the link. Links are valid at all origins of this service. */
  origin?: string | null | undefined
  /** Lifetime of the link in seconds. It replaces the TTL, and is not rounded. */
  linkSeconds?: number | undefined
}

export interface SignedUrl {
  url: string
  /** Expiry in Unix seconds. */
  expiresAt: number
}

/** `expired`: the signature is valid, but the link has expired. */
export type SignatureVerdict = 'valid' | 'expired' | 'invalid'

export interface UrlSignerOptions {
  /** Key of at least 32 random bytes. */
  key: Buffer
  /**
   * Returns the origin: scheme, host and port, without a trailing slash. A function, because a free
   * port becomes known only when the service listens.
   */
  publicUrl: () => string
  /** Path prefix that starts with a slash and does not end with one, or an empty string. */
  basePath: string
  ttlSeconds: number
}

const keyBytesMin = 32
const expiryStepSecondsMax = 60
const stepsPerTtl = 60
// At most fifteen digits, because longer numbers may be inexact. No leading zero, which would allow
// a second form of the same link.
const expiresPattern = /^[1-9][0-9]{0,14}$/

export function createUrlSigner({ key, publicUrl, basePath, ttlSeconds }: UrlSignerOptions): UrlSigner {
  if (key.byteLength < keyBytesMin) throw new RangeError(`the key that signs URLs must have at least ${keyBytesMin} bytes`)

  function signatureOf(objectKey: string, expires: string): string {
    return createHmac('sha256', key).update(`framegate media url 1\n${objectKey}\n${expires}`).digest('base64url')
  }

  const stepSeconds = Math.max(1, Math.min(expiryStepSecondsMax, Math.floor(ttlSeconds / stepsPerTtl)))

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
      // Compared as text, because base64url has several forms of the same bytes, and only the form
      // that this service writes is valid.
      const expected = Buffer.from(signatureOf(objectKey, expires))
      const signatureBytes = Buffer.from(signature)
      if (signatureBytes.byteLength !== expected.byteLength || !timingSafeEqual(signatureBytes, expected)) return 'invalid'
      return nowSeconds < Number(expires) ? 'valid' : 'expired'
    },
  }
}
