import { isObjectKey, requireObjectKey } from '../media-store.ts'

/**
 * `<prefix>3f/a9/<object key>`: the same names as below the media folder, so that any tool that
 * copies a folder into a bucket migrates an installation to it.
 */
export function bucketKeyOf(objectKey: string, prefix: string): string {
  requireObjectKey(objectKey)
  const stemEnd = objectKey.indexOf('.')
  return `${prefix}${objectKey.slice(stemEnd - 4, stemEnd - 2)}/${objectKey.slice(stemEnd - 2, stemEnd)}/${objectKey}`
}

/** Whether it is a key of this service: the bucket may hold other objects. */
export function isBucketKey(key: string, prefix: string): boolean {
  const objectKey = key.slice(key.lastIndexOf('/') + 1)
  return isObjectKey(objectKey) && key === bucketKeyOf(objectKey, prefix)
}
