import { buffer } from 'node:stream/consumers'
import type { ImageContent } from '@modelcontextprotocol/server'
import type { StoredResult, TaskRecord } from '../../db/task-queries.ts'
import { previewKey } from '../../media/result-file-name.ts'
import { logError } from '../responses/send-thrown.ts'
import { toAppError } from '../responses/to-app-error.ts'
import type { ToolCall } from './tool-call.ts'

/** Limits for the images in a tool result. Some MCP hosts accept only about a megabyte of JSON. */
const thumbnailsMax = 4
const thumbnailBytesMax = 200_000
/** Maximum time for reading or creating a thumbnail. If it takes longer, the result lacks it. */
const thumbnailMsMax = 5_000

type ThumbnailCall = Pick<ToolCall, 'dependencies' | 'request' | 'signal'>

/**
 * Reads the thumbnails of the first results of a task, at most `thumbnailsMax`. Omits thumbnails
 * that are missing, are too large or take too long.
 */
export async function readThumbnails(call: ThumbnailCall, { accountNo, results }: TaskRecord): Promise<ImageContent[]> {
  const thumbnails: ImageContent[] = []
  for (const result of results.slice(0, thumbnailsMax)) {
    const webp = await readThumbnail(call, accountNo, result)
    if (webp !== undefined) thumbnails.push({ type: 'image', data: webp.toString('base64'), mimeType: 'image/webp' })
  }
  return thumbnails
}

async function readThumbnail(
  { dependencies, request, signal }: ThumbnailCall,
  accountNo: number,
  result: StoredResult,
): Promise<Buffer | undefined> {
  const { logger, mediaStore, previews } = dependencies
  if (!previews.canCreate(result, 'thumbnail')) return undefined
  try {
    const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(thumbnailMsMax)])
    const { sizeBytes } = await previews.get(result, 'thumbnail', { accountNo, signal: limitedSignal })
    if (sizeBytes > thumbnailBytesMax) return undefined
    const file = await mediaStore.open(previewKey(result.objectKey, 'thumbnail'))
    return file && (await buffer(file.stream))
  } catch (error) {
    // A thumbnail is optional: the link to the result works without it.
    if (!isAbort(error)) logError(toAppError(error), request.id, logger)
    return undefined
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
