import { isAssetId, requireAssetId } from '../media-store.ts'

/**
 * `<prefix>3f/a9/<asset id>`: the same names as below the media folder, so that any tool that
 * copies a folder into a bucket migrates an installation to it.
 */
export function objectKeyOf(assetId: string, prefix: string): string {
  requireAssetId(assetId)
  const stemEnd = assetId.indexOf('.')
  return `${prefix}${assetId.slice(stemEnd - 4, stemEnd - 2)}/${assetId.slice(stemEnd - 2, stemEnd)}/${assetId}`
}

/** Whether it is a key of this service: the bucket may hold other objects. */
export function isObjectKey(key: string, prefix: string): boolean {
  const assetId = key.slice(key.lastIndexOf('/') + 1)
  return isAssetId(assetId) && key === objectKeyOf(assetId, prefix)
}
