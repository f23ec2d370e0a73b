import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { MediaStoreError, type DirectLink, type DirectUrl, type MediaStore } from '../media-store.ts'
import type { Bucket } from './bucket.ts'
import { bucketKeyOf } from './bucket-key.ts'

/** Maximum lifetime of a URL with signature version 4. */
const lifeSecondsMax = 7 * 24 * 60 * 60
/**
 * The signing time is rounded down to a multiple of this. Within the interval, the same link
 * results in the same URL, so that browsers and CDNs can use cached copies.
 */
const signingIntervalSeconds = 600
/** Temporary credentials with a shorter remaining lifetime are renewed before they sign a URL. */
const renewalSeconds = 300

/**
 * Returns a function that creates presigned GET URLs, each for one object and with fixed response
 * headers. A URL expires no later than the temporary credentials that sign it. `S3_PUBLIC_URL`
 * replaces the endpoint's origin after signing. The proxy at the public origin must forward
 * requests with the endpoint's host name, for which the URL is signed.
 */
export function createDirectUrls(bucket: Bucket): NonNullable<MediaStore['directUrl']> {
  const { bucket: Bucket, prefix, publicUrl } = bucket.settings

  return async function directUrl(objectKey: string, link: DirectLink): Promise<DirectUrl> {
    const { contentType, contentDisposition, nowSeconds, expiresAt } = link
    const signedAt = Math.floor(nowSeconds / signingIntervalSeconds) * signingIntervalSeconds
    const expiration = await expirationOfCredentials(bucket, nowSeconds)
    const credentialSeconds = expiration === undefined ? Infinity : Math.floor(expiration.getTime() / 1000) - signedAt
    const expiresIn = Math.max(1, Math.min(expiresAt - signedAt, lifeSecondsMax, credentialSeconds))
    const command = new GetObjectCommand({
      Bucket,
      Key: bucketKeyOf(objectKey, prefix),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: `private, max-age=${expiresIn}`,
    })
    const url = await getSignedUrl(bucket.client, command, { expiresIn, signingDate: new Date(signedAt * 1000) })
    return {
      url: publicUrl === null ? url : publicUrl + url.slice(new URL(url).origin.length),
      expiresAt: signedAt + expiresIn,
    }
  }
}

/**
 * Returns the expiry of the credentials that will sign a URL. Undefined if they do not expire.
 * Renews credentials that expire soon, because the AWS client would still sign with them during a
 * renewal.
 */
async function expirationOfCredentials({ client }: Bucket, nowSeconds: number): Promise<Date | undefined> {
  const { credentials } = client.config
  try {
    const { expiration } = await credentials()
    if (expiration === undefined || expiration.getTime() / 1000 - nowSeconds > renewalSeconds) return expiration
    return (await credentials({ forceRefresh: true }).catch(() => ({ expiration }))).expiration
  } catch (cause) {
    throw new MediaStoreError('unavailable', 'the AWS client has no credentials to sign the URL of a file', { cause })
  }
}
