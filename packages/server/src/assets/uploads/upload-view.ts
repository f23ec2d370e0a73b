import type { Asset, ResumableUpload } from '@framegate/contract'
import { decodeRefusal } from './upload-refusal.ts'
import type { StoredUpload } from './upload-rows.ts'

/** Converts an upload to its view. `asset` is undefined if the asset was deleted. */
export function uploadView(upload: StoredUpload, asset: Asset | undefined): ResumableUpload {
  const { id, created_at, name, sha256, size_bytes, received_bytes, expires_at } = upload
  return {
    id,
    object: 'asset_upload',
    created: Math.floor(created_at / 1000),
    name,
    size_bytes,
    received_bytes,
    sha256,
    expires_at: Math.floor(expires_at / 1000),
    asset: asset ?? null,
    error: errorOf(upload, asset),
  }
}

function errorOf({ error, asset_id }: StoredUpload, asset: Asset | undefined): ResumableUpload['error'] {
  if (error !== null) return decodeRefusal(error)
  if (asset_id === null || asset !== undefined) return null
  return { code: 'asset_not_found', message: 'The asset of this upload was deleted.', param: null }
}
