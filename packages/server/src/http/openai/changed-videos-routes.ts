import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAssetResult } from '../../assets/store-asset.ts'
import { availabilityFor } from '../../catalogue/availability-for.ts'
import { listOf } from '../../catalogue/describe-schema.ts'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import type { SubmittedTask } from '../../tasks/submit-task.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { breakConnection } from '../connections/break-connection.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { ResponseReceipts } from '../connections/response-receipts.ts'
import { copyResult, readSourceVideo, type SourceVideo } from './source-video.ts'
import { readRequest } from './read-request.ts'
import { sendVideo } from './send-video.ts'
import { afterEarlierSubmits, findMarkedRetry, submitOnce } from './submit-once.ts'
import { taskBody, invalidParam } from './task-body.ts'

/** The use of the input video, as a value of the parameter `task`. */
type VideoUse = 'edit' | 'extend'

type SubmittedVideo = Pick<SubmittedTask, 'task' | 'parameters' | 'isResponseLost'>

const listedMax = 20

/**
 * Adds the routes that generate a video from an earlier or uploaded video. By default, the model of
 * the earlier video is used. The model must accept an input video, and its routes to upstreams must
 * support the requested use.
 */
export function addChangedVideosRoutes(
  app: FastifyInstance,
  dependencies: HttpDependencies,
  url: string,
  receipts: ResponseReceipts,
): void {
  const { assets, effectiveModels, keys } = dependencies
  const options = { onRequest: authorize(keys, 'tasks:write'), config: { acceptsImages: true } } as const

  app.post<{ Params: { id: string } }>(`${url}/:id/remix`, options, (request, reply) =>
    changeVideo(request, reply, 'edit', { id: request.params.id }),
  )
  app.post(`${url}/edits`, options, (request, reply) => changeVideo(request, reply, 'edit'))
  app.post(`${url}/extensions`, options, (request, reply) => changeVideo(request, reply, 'extend'))

  /** Submits a task that uses a video. `source` replaces the field `video` of the request. */
  async function changeVideo(
    request: FastifyRequest,
    reply: FastifyReply,
    use: VideoUse,
    source?: { id: string },
  ): Promise<void> {
    const requestFields = await readRequest(dependencies, request)
    let copiedAsset: StoredAssetResult | undefined

    async function submit(): Promise<SubmittedVideo> {
      const { video: sentVideo, model: namedModel, ...fields } = requestFields.fields
      if (source !== undefined && sentVideo !== undefined)
        throw invalidParam('video', 'the path already specifies the video; omit video')
      // A retry gets the task of the first request, although the source may have been deleted
      // since.
      const retriedTask = await findMarkedRetry(dependencies, { request, index: 0, fields: requestFields.fields })
      if (retriedTask !== undefined) return { task: retriedTask, isResponseLost: false }
      const video = await readSourceVideo(dependencies, request, source ?? sentVideo)
      const model = await chooseModel(request, use, video, namedModel)
      const { displayed } = effectiveModels.of(model)
      const body: Record<string, unknown> = { ...taskBody(displayed, { fields, isForm: requestFields.isForm }), model: model.id }
      if (body['input_video'] !== undefined) throw invalidParam('input_video', 'video is used as input_video; omit input_video')
      if (displayed.parameters.properties['task'] !== undefined) body['task'] ??= use
      if ('task' in video) {
        copiedAsset = await copyResult(dependencies, video.task)
        body['input_video'] = `asset:${copiedAsset.asset.id}`
      } else {
        body['input_video'] = video.reference
      }
      const remixedFrom = 'task' in video ? video.task.id : (video.copied?.taskId ?? null)
      return await submitOnce(dependencies, { request, reply }, { body, index: 0, remixedFrom, fields: requestFields.fields })
    }

    try {
      const submitResult = await afterEarlierSubmits(dependencies, { request, fields: requestFields.fields }, submit)
      if (submitResult.isResponseLost) return breakConnection(request, reply)
      sendVideo(dependencies, request, reply, submitResult)
      receipts.watch(reply, [submitResult.task.id])
    } catch (cause) {
      await requestFields.removeFiles()
      if (copiedAsset !== undefined) await assets.discard(copiedAsset)
      throw cause
    }
  }

  async function chooseModel(request: FastifyRequest, use: VideoUse, video: SourceVideo, namedModel: unknown): Promise<Model> {
    const { catalogue } = brandOf(request)
    const id = namedModel ?? ('task' in video ? video.task : video.copied)?.model
    const model = id === undefined ? undefined : resolveModel(catalogue, id, '/v1/models')
    if (model !== undefined && servesUse(model, use)) return model
    const videoModels = catalogue.models.filter(({ object }) => object === 'video')
    await effectiveModels.prepare(videoModels)
    const { models: allowedModels } = principalOf(request)
    const capableModels = videoModels.filter(
      (candidate) =>
        servesUse(candidate, use) && availabilityFor(effectiveModels.of(candidate).displayed, allowedModels).available,
    )
    const problem = model === undefined ? 'name a model' : `${model.id} cannot ${use} an input video`
    const suggestions = capableModels.slice(0, listedMax).map((candidate) => candidate.id)
    throw invalidParam(
      'model',
      suggestions.length === 0
        ? `${problem}, and no model of this service can do that`
        : `${problem}; models that can do that are ${listOf(suggestions)}`,
    )
  }

  function servesUse(model: Model, use: VideoUse): boolean {
    if (model.object !== 'video') return false
    const { input_video, task } = effectiveModels.of(model).displayed.parameters.properties
    return input_video !== undefined && (task?.enum === undefined || task.enum.includes(use))
  }
}
