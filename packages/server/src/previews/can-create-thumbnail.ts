import type { StoredPreview } from '../db/task-queries.ts'

/** Whether a result has a thumbnail, or this machine can create one. */
export function canCreateThumbnail(
  { contentType, thumbnail }: { contentType: string; thumbnail?: StoredPreview | null | undefined },
  hasVideoDecoder: () => boolean,
): boolean {
  if (isText(contentType)) return false
  if (thumbnail !== undefined) return thumbnail !== null
  return contentType.startsWith('image/') || hasVideoDecoder()
}

export function isText(contentType: string): boolean {
  return contentType.startsWith('text/')
}
