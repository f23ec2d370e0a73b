import type { PreviewKind } from '@framegate/contract'

/**
 * Object keys of results: `task_<32 hex digits>.png` for the first output of a task, `task_<32 hex
 * digits>-2.png` for the second, and so on. A preview of a result has the key of the result with
 * its kind before the extension: `task_<32 hex digits>-2-thumbnail.webp`.
 */
export function resultObjectKey(taskId: string, outputIndex: number, extension: string): string {
  return `${taskId}${outputIndex === 0 ? '' : `-${outputIndex + 1}`}.${extension}`
}

const previewExtension = 'webp'
const previewPattern = /^(.{4,})-(thumbnail|spritesheet)\.webp$/

export function previewKey(objectKey: string, kind: PreviewKind): string {
  return `${stemOf(objectKey)}-${kind}.${previewExtension}`
}

/** Returns the kind of preview of an object key. Undefined: the file is not a preview. */
export function previewKindOf(objectKey: string): PreviewKind | undefined {
  return previewPattern.exec(objectKey)?.[2] as PreviewKind | undefined
}

/** Returns the keys under which previews of a result may be stored. */
export function previewKeysOf(objectKey: string): string[] {
  return [previewKey(objectKey, 'thumbnail'), previewKey(objectKey, 'spritesheet')]
}

const outputNumberPattern = /(?<=.{4})-\d+$/

/** Returns the id of the task, asset or upload that a file belongs to. */
export function ownerIdOf(objectKey: string): string {
  const stem = previewPattern.exec(objectKey)?.[1] ?? stemOf(objectKey)
  return stem.replace(outputNumberPattern, '')
}

function stemOf(objectKey: string): string {
  return objectKey.slice(0, objectKey.indexOf('.'))
}
