import type { FastifyRequest } from 'fastify'
import type { StoredAssetResult } from '../../assets/store-asset.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { isObject } from '../../lib/is-object.ts'
import { openIntact } from '../../media/open-intact.ts'
import { findTask } from '../../tasks/find-task.ts'
import { readRemixedFrom } from '../../tasks/parameters-text.ts'
import { principalOf } from '../authorize.ts'
import { readIdempotencyKey } from '../parameters/idempotency-key.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { noVideoContent } from './send-video.ts'
import { invalidParam } from './task-body.ts'

/** The input video of a request: the result of a task, or a reference to a file. */
export type SourceVideo = { task: TaskRecord } | ReferencedVideo

interface ReferencedVideo {
  reference: string
  /**
   * Set if the file is a copy of a task's result: the task, and its model, the default for a new
   * task.
   */
  copied?: { taskId: string; model: string }
}

/**
 * Reads the field `video`: an `asset:ID` (also that of a file from a form, which is already stored),
 * a URL, `{"id": "task_…"}` or `{"file_id": "asset_…"}`. A retry with an Idempotency-Key gets the file
 * that the first request copied from the task, because that task may have been deleted since.
 */
export async function readSourceVideo(
  { store }: Pick<HttpDependencies, 'store'>,
  request: FastifyRequest,
  raw: unknown,
): Promise<SourceVideo> {
  if (typeof raw === 'string') return { reference: raw }
  if (isObject(raw) && Object.keys(raw).length === 1) {
    const { id, file_id } = raw
    if (typeof file_id === 'string') return { reference: `asset:${file_id}` }
    if (typeof id === 'string') {
      const { accountNo } = principalOf(request)
      return (await findCopy(store, request, id)) ?? { task: await findTask(store, accountNo, id) }
    }
  }
  throw invalidParam('video', 'video must be a file, {"id": "task_…"} or {"file_id": "asset_…"}')
}

/**
 * For a retry: finds the task that was created with the request's Idempotency-Key. If that task uses
 * a copy of the same source video, returns the copy.
 */
async function findCopy(
  store: Pick<HttpDependencies['store'], 'findTaskOfKey'>,
  request: FastifyRequest,
  sourceId: string,
): Promise<ReferencedVideo | undefined> {
  const key = readIdempotencyKey(request)
  const firstTask = key === null ? undefined : await store.findTaskOfKey(principalOf(request).accountNo, key)
  if (firstTask === undefined || readRemixedFrom(firstTask.parameters) !== sourceId) return undefined
  const { input_video: reference } = JSON.parse(firstTask.parameters) as { input_video?: unknown }
  return typeof reference === 'string' ? { reference, copied: { taskId: sourceId, model: firstTask.model } } : undefined
}

/**
 * Creates an asset from the result of a task, so that a new task can use it as an input video.
 */
export async function copyResult(
  { assets, mediaStore }: Pick<HttpDependencies, 'assets' | 'mediaStore'>,
  task: TaskRecord,
): Promise<StoredAssetResult> {
  const { accountNo, results } = task
  const [result] = results
  if (result === undefined) throw noVideoContent(task)
  if (!result.contentType.startsWith('video/')) throw invalidParam('video', 'the result of this task is not a video')
  const media = result.removed ? undefined : await openIntact(mediaStore, result)
  if (media === undefined) throw noVideoContent(task)
  try {
    await using file = await assets.receive(accountNo, media.stream)
    return await assets.store({ accountNo, file, name: null, param: 'video' })
  } finally {
    // The stream is still unread if the service refused the file because it receives too many files.
    media.stream.destroy()
  }
}
