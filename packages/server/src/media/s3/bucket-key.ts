import { isObjectKey, pathPartsOf } from '../media-store.ts'

/**
 * `<prefix>3f/a9/<object key>`: the same names as below the media folder, so that any tool that
 * copies a folder into a bucket migrates an installation to it.
 */
export function bucketKeyOf(objectKey: string, prefix: string): string {
  return `${prefix}${pathPartsOf(objectKey).join('/')}`
}

/** Whether this service may have stored an object under this key. The bucket may hold others. */
export function isBucketKey(key: string, prefix: string): boolean {
  const objectKey = key.slice(key.lastIndexOf('/') + 1)
  return isObjectKey(objectKey) && key === bucketKeyOf(objectKey, prefix)
}
