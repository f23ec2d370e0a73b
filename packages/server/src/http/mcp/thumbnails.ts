import { buffer } from 'node:stream/consumers'
import type { ImageContent } from '@modelcontextprotocol/server'
import type { StoredResult, TaskRecord } from '../../db/task-queries.ts'
import { AppError } from '../../lib/app-error.ts'
import { MediaStoreError } from '../../media/media-store.ts'
import { previewKey } from '../../media/result-file-name.ts'
import type { ToolCall } from './tool-call.ts'

/** Limits of the images in one result. Some hosts accept about a megabyte of JSON. */
const postersMax = 4
const posterBytesMax = 200_000
/** Time for making a thumbnail that does not exist yet. Without it, the result has no image. */
const makeMsMax = 5_000

type PosterCall = Pick<ToolCall, 'context' | 'signal'>

/** Reads the thumbnails of a completed task. Leaves out those that cannot be made quickly. */
export async function readPosters(call: PosterCall, { results }: TaskRecord): Promise<ImageContent[]> {
  const posters: ImageContent[] = []
  for (const result of results.slice(0, postersMax)) {
    const webp = await readThumbnail(call, result)
    if (webp !== undefined) posters.push({ type: 'image', data: webp.toString('base64'), mimeType: 'image/webp' })
  }
  return posters
}

async function readThumbnail({ context, signal }: PosterCall, result: StoredResult): Promise<Buffer | undefined> {
  const { mediaStore, previews } = context
  if (!previews.canMake(result, 'thumbnail')) return undefined
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(makeMsMax)])
    const { sizeBytes } = await previews.get(result, 'thumbnail', { signal: limited })
    if (sizeBytes > posterBytesMax) return undefined
    const opened = await mediaStore.open(previewKey(result.objectKey, 'thumbnail'))
    return opened && (await buffer(opened.stream))
  } catch (error) {
    // The link to the result works without the thumbnail.
    if (error instanceof AppError || error instanceof MediaStoreError || isAbort(error)) return undefined
    throw error
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
