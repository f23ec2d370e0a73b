import { isObjectKey, pathPartsOf } from '../media-store.ts'

/**
 * Returns `<prefix>3f/a9/<object key>`. The structure is the same as that of the media folder, so
 * any tool that copies a folder to a bucket can migrate an installation.
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
