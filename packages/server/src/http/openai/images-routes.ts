import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { taskObjectOf } from '../../catalogue/token-model.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { cancelTask } from '../../tasks/cancel-task.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { requestOwnerOf } from '../is-operator.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpContext } from '../services.ts'
import { streamFields } from '../streams/event-stream.ts'
import type { Deliveries } from '../connections/deliveries.ts'
import { readImageRequest, type ImageRequest } from './image-fields.ts'
import { ImageStream } from './image-stream.ts'
import { ImagesOfTasks } from './images-of-tasks.ts'
import { readRequest } from './read-request.ts'
import { bodyOfImage } from './body-of-image.ts'
import { submitOnce } from './submit-once.ts'
import { invalidParam } from './task-body.ts'
import { waitForAll, waitForEnd, type WaitOptions } from './wait-for-all.ts'

/** Time for sending a response after the wait for its images. */
const silenceMarginMs = 30_000

interface Accepted {
  tasks: TaskRecord[]
  request: ImageRequest
}

/**
 * Adds the image routes of OpenAI's API. The response is sent when all images are made. Tasks make
 * the images, and they continue if the client disconnects.
 */
export function addImagesRoutes(app: FastifyInstance, context: HttpContext, url: string, deliveries: Deliveries): void {
  const images = new ImagesOfTasks(context)
  for (const [path, event] of [
    ['generations', 'image_generation'],
    ['edits', 'image_edit'],
  ] as const) {
    app.post(
      `${url}/${path}`,
      { onRequest: authorize(context.keys, 'tasks:write'), config: { takesImages: true } },
      async (request, reply) => {
        const disconnected = disconnectSignal(reply)
        const { tasks, request: imageRequest } = await acceptAll(request, reply)
        deliveries.watch(
          reply,
          tasks.map(({ id }) => id),
        )
        const options: WaitOptions = {
          owner: requestOwnerOf(principalOf(request), context.brands),
          untilMs: Date.now() + context.imagesWaitMs,
          signal: disconnected,
        }
        const { resultOrigin } = brandOf(request)
        // Without this, the connection would be closed for silence. Node restores the limit
        // afterwards.
        request.raw.socket.setTimeout(context.imagesWaitMs + silenceMarginMs)
        if (imageRequest.isStreamed) return streamImages(reply, tasks, { event, options, resultOrigin })
        const ended = await waitForAll(context, tasks, options)
        const data = await images.read(ended, imageRequest.format, resultOrigin)
        const created = Math.floor(context.clock() / 1000)
        return reply.header('content-type', jsonContentType).send(JSON.stringify({ created, ...data }))
      },
    )
  }

  async function acceptAll(request: FastifyRequest, reply: FastifyReply): Promise<Accepted> {
    const { catalogue } = brandOf(request)
    const principal = principalOf(request)
    const requestFields = await readRequest(context, request)
    const tasks: TaskRecord[] = []
    try {
      const model = imageModel(resolveModel(catalogue, requestFields.fields['model']))
      const effective = context.effectiveModels.of(model)
      const imageRequest = readImageRequest(effective.displayed, requestFields)
      for (let index = 0; index < imageRequest.tasks; index++) {
        const body = bodyOfImage(effective, imageRequest.body, index)
        const { task } = await submitOnce(context, { request, reply }, { body, index })
        tasks.push(task)
      }
      return { tasks, request: imageRequest }
    } catch (cause) {
      // A client gets either all images of a request or an error, so the other tasks are canceled.
      await Promise.allSettled(tasks.map(({ id }) => cancelTask(context.store, principal.accountNo, id)))
      await requestFields.removeFiles()
      throw cause
    }
  }

  async function streamImages(
    reply: FastifyReply,
    tasks: readonly TaskRecord[],
    { event, options, resultOrigin }: { event: string; options: WaitOptions; resultOrigin: string | null },
  ): Promise<FastifyReply> {
    const stream = new ImageStream(event)
    void sendImages(stream, tasks, options, resultOrigin)
    return reply.headers(streamFields).send(stream.readable)
  }

  /** Sends each image as soon as it is made. */
  async function sendImages(
    stream: ImageStream,
    tasks: readonly TaskRecord[],
    options: WaitOptions,
    resultOrigin: string | null,
  ): Promise<void> {
    // Images are sent one after another, so that only one of them is in memory.
    let sending: Promise<void> = Promise.resolve()
    const sent = await Promise.allSettled(
      tasks.map(async (task) => {
        const ended = await waitForEnd(context, task, options)
        return await (sending = sending.catch(() => {}).then(() => sendImagesOf(stream, ended, resultOrigin)))
      }),
    )
    // The error is sent after all images that were made, because a client stops reading at an
    // error.
    const failed = sent.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') stream.failed(failed.reason)
    stream.end()
  }

  async function sendImagesOf(stream: ImageStream, task: TaskRecord, resultOrigin: string | null): Promise<void> {
    const { data, ...facts } = await images.read([task], 'b64_json', resultOrigin)
    for (const image of data) await stream.completed({ ...image, ...facts, created_at: Math.floor(context.clock() / 1000) })
  }
}

function imageModel(model: Model): Model {
  const object = taskObjectOf(model)
  if (object === 'image') return model
  const rightEndpoint = object === 'text' ? '/v2/model-center/tasks' : '/v1/videos'
  throw invalidParam('model', `${model.id} makes ${object}s; send the request to ${rightEndpoint}`)
}
