import type {
  Experimental_VideoModelV3CallOptions,
  Experimental_VideoModelV3VideoData,
  Experimental_VideoModelV4,
  JSONValue,
} from '@ai-sdk/provider'
import type { Framegate, Task } from '@framegate/sdk'
import { withCallErrors } from './call-error.ts'
import { requireType, type Connection } from './connection.ts'
import { isLocalAddress } from './local-address.ts'
import type { UnsupportedWarning } from './request-parameters.ts'
import { resultMetadata, taskMetadata, type ResultMetadata, type TaskMetadata } from './task-metadata.ts'
import { videoRequest } from './video-request.ts'

/**
 * A video model for versions 6 and 7 of the AI SDK. Version 6 accepts only objects of the model
 * interface `v3`, and calls `doGenerate`. Version 7 accepts the same object, and also calls
 * `doStart`, `doStatus` and `handleWebhookOption`.
 */
export interface FramegateVideoModel extends Required<
  Pick<Experimental_VideoModelV4, 'doStart' | 'doStatus' | 'handleWebhookOption'>
> {
  readonly specificationVersion: 'v3'
  readonly provider: string
  readonly modelId: string
  readonly maxVideosPerCall: number
  doGenerate(options: Experimental_VideoModelV3CallOptions): Promise<{
    videos: Experimental_VideoModelV3VideoData[]
    warnings: UnsupportedWarning[]
    providerMetadata: { framegate: TaskMetadata & { videos: ResultMetadata[] } }
    response: { timestamp: Date; modelId: string; headers: undefined }
  }>
}

export function createVideoModel(connection: Connection, modelId: string): FramegateVideoModel {
  const { clientFor, modelOf, downloads, cancelOnAbort } = connection

  async function buildRequest(client: Framegate, options: Experimental_VideoModelV3CallOptions) {
    const model = await modelOf(client, modelId, options.abortSignal)
    requireType(model, 'video')
    return videoRequest(client, model, options)
  }

  const responseMetadata = () => ({ timestamp: new Date(), modelId, headers: undefined })

  async function videosOf(client: Framegate, task: Task, signal?: AbortSignal): Promise<Experimental_VideoModelV3VideoData[]> {
    const results = task.results ?? []
    return Promise.all(
      results.map(async ({ url, type: mediaType }, result) => {
        if (downloads !== 'provider' && (downloads === 'ai-sdk' || !isLocalAddress(url))) return { type: 'url', url, mediaType }
        const blob = await (await client.tasks.download(task, { result, signal })).blob()
        return { type: 'binary', data: new Uint8Array(await blob.arrayBuffer()), mediaType }
      }),
    )
  }

  return {
    specificationVersion: 'v3',
    provider: 'framegate.video',
    modelId,
    maxVideosPerCall: 1,

    async doGenerate(options) {
      const client = clientFor(options.headers)
      return withCallErrors({ url: client.baseUrl, values: options, isRepeatable: false }, async () => {
        const { request, warnings } = await buildRequest(client, options)
        const signal = options.abortSignal
        const task = await client.tasks.createAndWait(request, {
          signal,
          cancelOnAbort,
          idempotencyKey: idempotencyKeyOf(options.headers),
        })
        const videos = await videosOf(client, task, signal)
        return { videos, warnings, providerMetadata: metadataOf(task), response: responseMetadata() }
      })
    },

    async doStart(options) {
      const client = clientFor(options.headers)
      // The AI SDK generates one idempotency key per start, and passes the same key to its retries.
      const idempotencyKey = idempotencyKeyOf(options.headers)
      const isRepeatable = idempotencyKey !== undefined
      return withCallErrors({ url: client.baseUrl, values: options, isRepeatable }, async () => {
        const { request, warnings } = await buildRequest(client, options)
        const task = await client.tasks.create(request, { signal: options.abortSignal, idempotencyKey })
        return {
          operation: { id: task.id },
          warnings,
          providerMetadata: { framegate: taskMetadata(task) },
          response: responseMetadata(),
        }
      })
    },

    async doStatus({ operation, abortSignal, headers }) {
      const client = clientFor(headers)
      return withCallErrors({ url: client.baseUrl, values: operation, isRepeatable: true }, async () => {
        const task = await client.tasks.get(taskIdOf(operation), { signal: abortSignal })
        const response = responseMetadata()
        const providerMetadata = metadataOf(task)
        if (task.status === 'failed') {
          return { status: 'error', error: `${task.error_code ?? 'task_failed'}: ${task.error}`, providerMetadata, response }
        }
        if (task.status !== 'completed') return { status: 'pending', response }
        const videos = await videosOf(client, task, abortSignal)
        return { status: 'completed', videos, warnings: [], providerMetadata, response }
      })
    },

    /**
     * Returns the URL of the webhook that the caller creates. The AI SDK passes this URL to
     * `doStart`, and the service sends an event to it when the task ends.
     */
    async handleWebhookOption({ webhook }) {
      const { url, received } = await webhook()
      return { webhookUrl: url, received }
    },
  }
}

function metadataOf(task: Task) {
  return { framegate: { ...taskMetadata(task), videos: resultMetadata(task) } }
}

function taskIdOf(operation: JSONValue): string {
  const id = typeof operation === 'object' && operation !== null && 'id' in operation ? operation['id'] : undefined
  if (typeof id === 'string') return id
  throw new TypeError('The operation must be the value that doStart returned: an object with the id of a task.')
}

function idempotencyKeyOf(headers: Record<string, string | undefined> = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]
}
