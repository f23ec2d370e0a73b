import type { MediaType } from '../lib/media-type.ts'
import type { StoredAsset } from './asset-rows.ts'

const fileExtensions: Record<MediaType, string> = {
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
 * Returns the name of an asset's file in the media store and in links. It begins with `asset_`;
 * names of results begin with `task_`.
 */
export function fileNameOf({ id, content_type }: Pick<StoredAsset, 'id' | 'content_type'>): string {
  return `${id}.${fileExtensions[content_type as MediaType]}`
}

/** Returns the id of the asset to which a file belongs. Undefined: the file is not an asset's. */
export function assetIdOfFile(fileName: string): string | undefined {
  return fileName.startsWith('asset_') ? fileName.slice(0, fileName.indexOf('.')) : undefined
}
