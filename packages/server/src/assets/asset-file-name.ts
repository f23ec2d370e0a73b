import type { MediaType } from '../lib/media-type.ts'
import type { StoredAsset } from './asset-rows.ts'

const endings: Record<MediaType, string> = {
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
}

/**
 * Name of an asset's file in the media store and in links. It begins with `asset_`, while names of
 * results begin with `task_`.
 */
export function fileNameOf({ id, content_type }: Pick<StoredAsset, 'id' | 'content_type'>): string {
  return `${id}.${endings[content_type as MediaType]}`
}

/** The id of the asset that a file may belong to. Undefined for a file that is not an asset's. */
export function assetIdOfFile(fileName: string): string | undefined {
  return fileName.startsWith('asset_') ? fileName.slice(0, fileName.indexOf('.')) : undefined
}
