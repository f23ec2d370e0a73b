import type { Asset } from '@framegate/contract'
import type { UrlSigner } from '../media/sign-url.ts'
import { fileNameOf } from './asset-file-name.ts'
import type { StoredAsset } from './asset-rows.ts'

/** Converts an asset to its view, with a new link to its file. */
export function assetView(row: StoredAsset, signer: UrlSigner, nowMs: number, origin: string | null): Asset {
  const { url, expiresAt } = signer.sign(fileNameOf(row), Math.floor(nowMs / 1000), { origin })
  return {
    id: row.id,
    object: 'asset',
    created: Math.floor(row.created_at / 1000),
    name: row.name,
    content_type: row.content_type as Asset['content_type'],
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    width: row.width === 0 ? null : row.width,
    height: row.height === 0 ? null : row.height,
    seconds: row.duration_ms === null ? null : row.duration_ms / 1000,
    fps: row.frames_per_second,
    has_audio: row.has_audio === 1,
    url,
    expires_at: expiresAt,
  }
}
