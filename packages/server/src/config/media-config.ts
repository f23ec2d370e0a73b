import type { RawSettings, SettingName } from './env.ts'
import type { Secret } from './secret.ts'
import { oneOf, type SettingParser } from './setting-parsers.ts'
import { bucketName, bucketPrefix, clientOrigin, s3AccessKeyId, s3Endpoint, s3Region, s3Secret } from './s3-setting-parsers.ts'

/** The store of results and assets: the data folder or an S3 bucket. */
export type MediaConfig = { kind: 'disk' } | S3Config

export interface S3Config {
  kind: 's3'
  endpoint: string
  bucket: string
  region: string
  /**
   * Access key from the settings. Null: the AWS client finds the credentials, such as those of a
   * machine role.
   */
  accessKey: { id: string; secret: Secret } | null
  addressing: 'path' | 'virtual-host'
  /** Prefix of all object keys. It is empty, or ends with a slash. */
  prefix: string
  /** Whether clients are redirected to the bucket, or the service sends the files. */
  delivery: 'redirect' | 'service'
  /** Origin of the links to which clients are redirected. Null: the endpoint. */
  publicUrl: string | null
}

type ReadSetting = <T>(name: SettingName, parse: SettingParser<T>, fallback: T) => T

const bucketNames = ['S3_ENDPOINT', 'S3_BUCKET'] as const
const keyNames = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const optionalNames = ['S3_CREDENTIALS', 'S3_REGION', 'S3_ADDRESSING', 'S3_PREFIX', 'S3_DELIVERY', 'S3_PUBLIC_URL'] as const

/**
 * Reads the settings of the media store. Any S3 setting selects S3. An incomplete set of S3
 * settings is an error, because with a fallback to the disk, all files in the bucket would seem to
 * be lost.
 */
export function readMediaConfig(rawSettings: RawSettings, read: ReadSetting, violations: string[]): MediaConfig {
  const presentName = [...bucketNames, ...keyNames, ...optionalNames].find((name) => rawSettings[name] !== undefined)
  if (presentName === undefined) return { kind: 'disk' }
  const credentials = read('S3_CREDENTIALS', oneOf('settings', 'aws'), 'settings')
  for (const name of credentials === 'aws' ? bucketNames : [...bucketNames, ...keyNames]) {
    if (rawSettings[name] === undefined) {
      const source = rawSettings[presentName]?.source ?? presentName
      violations.push(`${name}: is missing; it is required for S3 because ${source} is set.`)
    }
  }
  const id = read('S3_ACCESS_KEY_ID', s3AccessKeyId, '')
  const secret = read<Secret | null>('S3_SECRET_ACCESS_KEY', s3Secret, null)
  if (credentials === 'aws') {
    for (const name of keyNames) {
      if (rawSettings[name] !== undefined) violations.push(`${name}: must not be set with S3_CREDENTIALS=aws.`)
    }
  }
  const accessKey = credentials === 'aws' || secret === null ? null : { id, secret }
  return {
    kind: 's3',
    endpoint: read('S3_ENDPOINT', s3Endpoint, ''),
    bucket: read('S3_BUCKET', bucketName, ''),
    region: read('S3_REGION', s3Region, 'us-east-1'),
    accessKey,
    addressing: read('S3_ADDRESSING', oneOf('path', 'virtual-host'), 'path'),
    prefix: read('S3_PREFIX', bucketPrefix, ''),
    delivery: read('S3_DELIVERY', oneOf('redirect', 'service'), 'redirect'),
    publicUrl: read<string | null>('S3_PUBLIC_URL', clientOrigin, null),
  }
}
