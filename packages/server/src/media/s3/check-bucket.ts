import { createHash } from 'node:crypto'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { StartupError } from '../../lib/startup-error.ts'
import type { Body, Bucket } from './bucket.ts'

const checkTimeoutMs = 20_000
const checkName = 'framegate-start-up-check'
const writeCheckName = 'framegate-write-check'

/**
 * Tries to list, write, read and remove an object. Throws a `StartupError` that names the setting
 * to correct and contains no secrets.
 */
export async function checkBucket(bucket: Bucket): Promise<void> {
  const { client, settings } = bucket
  const signal = AbortSignal.timeout(checkTimeoutMs)
  const key = settings.prefix + checkName
  try {
    await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: key, MaxKeys: 1 }), { abortSignal: signal })
    await bucket.put(key, bodyOf('may be removed'), signal)
    const openedObject = await bucket.get(key, undefined, undefined, signal)
    openedObject?.stream.destroy()
    await bucket.remove(key)
  } catch (cause) {
    throw new StartupError(describeError(readError(cause), bucket), { cause })
  }
}

/** Writes a small object and removes it. */
export async function checkWrite(bucket: Bucket): Promise<void> {
  const key = bucket.settings.prefix + writeCheckName
  await bucket.put(key, bodyOf('may be removed'), AbortSignal.timeout(checkTimeoutMs))
  await bucket.remove(key)
}

function bodyOf(text: string): Body {
  const bytes = Buffer.from(text)
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

interface BucketError {
  name: string
  code: string | undefined
  status: number | undefined
  /** The bucket's region, if AWS reports it. */
  region: string | undefined
}

/** Extracts the error of the S3 client, which may be the cause of a `MediaStoreError`. */
function readError(thrown: unknown): BucketError {
  const cause = thrown instanceof Error && thrown.name === 'MediaStoreError' && thrown.cause !== undefined ? thrown.cause : thrown
  const { name, code, $metadata, Region } = cause as Error & Record<string, unknown>
  return {
    name,
    code: typeof code === 'string' ? code : undefined,
    status: ($metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode,
    region: typeof Region === 'string' ? Region : undefined,
  }
}

const unknownKeyNames = new Set(['InvalidAccessKeyId', 'InvalidToken', 'XAdminUserNotFound'])
const regionNames = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
  'InvalidRegion',
])

function describeError({ name, code, status, region }: BucketError, { settings }: Bucket): string {
  const { endpoint, bucket, accessKey } = settings
  const [keySetting, secretSetting] =
    accessKey === null ? ['S3_CREDENTIALS', 'S3_CREDENTIALS'] : ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const key = accessKey === null ? 'that the AWS client found' : accessKey.id
  if (name === 'CredentialsProviderError') {
    return 'S3_CREDENTIALS: the AWS client found no credentials; give the machine a role, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.'
  }
  if (name === 'NoSuchBucket') return `S3_BUCKET: there is no bucket ${bucket} at ${endpoint}; create it, or set another name.`
  if (unknownKeyNames.has(name)) return `${keySetting}: ${endpoint} does not know the key ${key}.`
  if (name === 'SignatureDoesNotMatch') return `${secretSetting}: does not match the key ${key}.`
  if (regionNames.has(name)) {
    return `S3_REGION: the bucket ${bucket} is not in ${settings.region}${region === undefined ? '' : `, but in ${region}`}.`
  }
  if (name === 'RequestTimeTooSkewed')
    return `The clock of this machine is wrong, so ${endpoint} rejects its signatures; correct the clock.`
  if (status === 401 || status === 403) {
    return `${keySetting}: the key ${key} may not list, read, write and remove objects of the bucket ${bucket} (${name}).`
  }
  if (status === undefined) {
    return `S3_ENDPOINT: no S3 service responds at ${endpoint} (${code ?? name}); check the address, and whether the service is running.`
  }
  return `S3_ENDPOINT: the response of ${endpoint} does not come from an S3 service (${status} ${name}).`
}
