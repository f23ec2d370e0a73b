import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { taskObjectOf } from '../../catalogue/token-model.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { cancelTask } from '../../tasks/cancel-task.ts'
import { authorize, principalOf, reauthorize } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { requestOwnerOf } from '../is-operator.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { eventStreamHeaders } from '../streams/event-stream.ts'
import type { ResponseReceipts } from '../connections/response-receipts.ts'
import { readImageRequest, requireInputImage, type ImageRequest } from './image-fields.ts'
import { ImageStream } from './image-stream.ts'
import { ImagesOfTasks } from './images-of-tasks.ts'
import { readRequest } from './read-request.ts'
import { bodyOfImage } from './body-of-image.ts'
import { afterEarlierSubmits, submitOnce } from './submit-once.ts'
import { invalidParam } from './task-body.ts'
import { waitForAll, waitForEnd, type WaitOptions } from './wait-for-all.ts'

/** Time after the wait for the images within which the response must be sent. */
const responseMarginMs = 30_000

interface AcceptedImages {
  tasks: TaskRecord[]
  request: ImageRequest
}

/**
 * Adds the image routes of OpenAI's API. Without `stream`, the response is sent when all images are
 * complete. The tasks of the images continue if the client disconnects.
 */
export function addImagesRoutes(
  app: FastifyInstance,
  dependencies: HttpDependencies,
  url: string,
  receipts: ResponseReceipts,
): void {
  const images = new ImagesOfTasks(dependencies)
  for (const [path, event] of [
    ['generations', 'image_generation'],
    ['edits', 'image_edit'],
  ] as const) {
    app.post(
      `${url}/${path}`,
      { onRequest: authorize(dependencies.keys, 'tasks:write'), config: { acceptsImages: true } },
      async (request, reply) => {
        const disconnectedSignal = disconnectSignal(reply)
        const { tasks, request: imageRequest } = await acceptAll(request, reply, path)
        receipts.watch(
          reply,
          tasks.map(({ id }) => id),
        )
        const options: WaitOptions = {
          owner: requestOwnerOf(principalOf(request), dependencies.brands),
          untilMs: performance.now() + dependencies.imagesWaitTimeoutMs,
          signal: disconnectedSignal,
          requireAdmitted: () => reauthorize(dependencies.keys, 'tasks:write', request),
        }
        const { resultOrigin } = brandOf(request)
        // Extends the socket's idle timeout, which would close the connection during the wait. Node
        // restores it afterwards.
        request.raw.socket.setTimeout(dependencies.imagesWaitTimeoutMs + responseMarginMs)
        if (imageRequest.isStreamed) return streamImages(reply, tasks, { event, options, resultOrigin })
        const endedTasks = await waitForAll(dependencies, tasks, options)
        const data = await images.read(endedTasks, imageRequest.format, resultOrigin)
        const createdSeconds = Math.floor(dependencies.clock() / 1000)
        return reply.header('content-type', jsonContentType).send(JSON.stringify({ created: createdSeconds, ...data }))
      },
    )
  }

  async function acceptAll(request: FastifyRequest, reply: FastifyReply, path: 'generations' | 'edits'): Promise<AcceptedImages> {
    const { catalogue } = brandOf(request)
    const requestFields = await readRequest(dependencies, request)
    const tasks: TaskRecord[] = []
    const createdTasks: TaskRecord[] = []
    try {
      const model = imageModel(resolveModel(catalogue, requestFields.fields['model'], '/v1/models'))
      const effectiveModel = dependencies.effectiveModels.of(model)
      const imageRequest = readImageRequest(effectiveModel.displayed, requestFields)
      if (path === 'edits') requireInputImage(effectiveModel.displayed, imageRequest)
      const { body: imageBody, taskCount } = imageRequest
      await afterEarlierSubmits(dependencies, { request, fields: requestFields.fields }, async () => {
        for (let index = 0; index < taskCount; index++) {
          const body = bodyOfImage(effectiveModel, imageBody, index)
          const submitted = { body, index, taskCount, createdCount: createdTasks.length }
          const { task, replayed } = await submitOnce(dependencies, { request, reply }, submitted)
          tasks.push(task)
          if (!replayed) createdTasks.push(task)
        }
      })
      return { tasks, request: imageRequest }
    } catch (cause) {
      await withdraw(createdTasks)
      await requestFields.removeFiles()
      throw cause
    }
  }

  /**
   * Cancels the tasks that a rejected request has already created, because a client gets either all
   * images or an error. Tasks of an earlier request with the same key continue. Removes the
   * idempotency keys of the cancelled tasks, so that a retry of the request does not return them.
   */
  async function withdraw(tasks: readonly TaskRecord[]): Promise<void> {
    const { logger, store, telemetry } = dependencies
    const outcomes = await Promise.allSettled(tasks.map(({ accountNo, id }) => cancelTask(store, accountNo, id)))
    const cancelledTasks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (cancelledTasks.length === 0) return
    for (const task of cancelledTasks) telemetry.taskEnded(task)
    await store
      .removeKeys(cancelledTasks.map(({ id }) => id))
      .catch((err: unknown) => logger.warn({ err }, 'a retry of a rejected request may return its cancelled tasks'))
  }

  async function streamImages(
    reply: FastifyReply,
    tasks: readonly TaskRecord[],
    { event, options, resultOrigin }: { event: string; options: WaitOptions; resultOrigin: string | null },
  ): Promise<FastifyReply> {
    const stream = new ImageStream(event)
    void sendImages(stream, tasks, options, resultOrigin)
    return reply.headers(eventStreamHeaders).send(stream.readable)
  }

  /** Sends the images of each task as soon as it has ended. */
  async function sendImages(
    stream: ImageStream,
    tasks: readonly TaskRecord[],
    options: WaitOptions,
    resultOrigin: string | null,
  ): Promise<void> {
    // The images of one task are sent before those of another are read, to limit the used memory.
    let sending: Promise<void> = Promise.resolve()
    const outcomes = await Promise.allSettled(
      tasks.map(async (task) => {
        const endedTask = await waitForEnd(dependencies, task, options)
        return await (sending = sending.catch(() => {}).then(() => sendImagesOf(stream, endedTask, resultOrigin)))
      }),
    )
    // The error comes after the images, because a client stops reading at an error.
    const failedOutcome = outcomes.find(({ status }) => status === 'rejected')
    if (failedOutcome?.status === 'rejected') stream.sendFailed(failedOutcome.reason)
    stream.end()
  }

  async function sendImagesOf(stream: ImageStream, task: TaskRecord, resultOrigin: string | null): Promise<void> {
    const { data, ...format } = await images.read([task], 'b64_json', resultOrigin)
    for (const image of data)
      await stream.sendCompleted({ ...image, ...format, created_at: Math.floor(dependencies.clock() / 1000) })
  }
}

function imageModel(model: Model): Model {
  const object = taskObjectOf(model)
  if (object === 'image') return model
  const rightEndpoint = object === 'text' ? '/v2/model-center/tasks' : '/v1/videos'
  throw invalidParam('model', `${model.id} generates ${object}s; send the request to ${rightEndpoint}`)
}
