import { isObjectKey, pathPartsOf } from '../media-store.ts'

/**
 * Returns `<prefix>3f/a9/<object key>`. Disk stores also find files in these folders, so an
 * operator can copy a bucket to a media folder with any tool.
 */
export function bucketKeyOf(objectKey: string, prefix: string): string {
  return `${prefix}${pathPartsOf(objectKey).join('/')}`
}

/**
 * Whether this service may have stored an object under this key. The bucket may contain objects of
 * other services.
 */
export function isBucketKey(key: string, prefix: string): boolean {
  const objectKey = key.slice(key.lastIndexOf('/') + 1)
  return isObjectKey(objectKey) && key === bucketKeyOf(objectKey, prefix)
}
