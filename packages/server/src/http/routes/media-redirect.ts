import type { Clock } from '../../lib/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { MediaResponse } from '../../media/serve-media.ts'

/**
 * Whether the response has a body and `If-Range` does not prevent a redirect. The media store has a
 * different ETag, so a request with this service's ETag in `If-Range` cannot be redirected.
 */
export function canRedirect({ body, headers }: MediaResponse, ifRange: string | undefined): boolean {
  return body !== null && ifRange?.trim() !== headers['ETag']
}

interface Redirect {
  objectKey: string
  response: MediaResponse
  contentType: string
  clock: Clock
  validUntilMs: number
}

/**
 * Maximum age of a cached redirect. It is shorter than a week, the maximum lifetime of a direct
 * link.
 */
const redirectSecondsMax = 6 * 24 * 60 * 60

export async function redirectFields(
  directUrl: NonNullable<MediaStore['directUrl']>,
  redirect: Redirect,
): Promise<Record<string, string>> {
  const { objectKey, response, contentType, clock, validUntilMs } = redirect
  const { url, expiresAt } = await directUrl(objectKey, {
    contentType,
    contentDisposition: response.headers['Content-Disposition'] ?? 'inline',
    nowSeconds: Math.floor(clock() / 1000),
    expiresAt: Math.floor(validUntilMs / 1000),
  })
  // Reads the clock again, because signing may take a while: it may renew the credentials.
  const secondsLeft = expiresAt - Math.ceil(clock() / 1000)
  return {
    Location: url,
    'Cache-Control': `private, max-age=${Math.min(redirectSecondsMax, Math.max(0, secondsLeft))}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
