import { videoContentParameters, videoListParameters } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { taskObjectOf } from '../../catalogue/token-model.ts'
import type { TaskListQuery } from '../../db/task-queries.ts'
import { isTaskId } from '../../identity/task-id.ts'
import { previewKey } from '../../media/result-file-name.ts'
import { noPreview } from '../../previews/previews.ts'
import { findTask, taskNotFound } from '../../tasks/find-task.ts'
import { readTaskPage } from '../../tasks/list-tasks.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { breakConnection } from '../connections/break-connection.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { ResponseReceipts } from '../connections/response-receipts.ts'
import { readRequest } from './read-request.ts'
import { noVideoContent, sendVideo, videoTextOf } from './send-video.ts'
import { afterEarlierSubmits, submitOnce } from './submit-once.ts'
import { placeReference, taskBody, invalidParam } from './task-body.ts'

interface VideoRequest {
  Params: { id: string }
}

/** Adds the video routes of OpenAI's API, in which every task of a video model is a video. */
export function addVideosRoutes(
  app: FastifyInstance,
  dependencies: HttpDependencies,
  url: string,
  receipts: ResponseReceipts,
): void {
  const { clock, deletion, effectiveModels, keys, previews, signer, store, views } = dependencies

  app.post(url, { onRequest: authorize(keys, 'tasks:write'), config: { acceptsImages: true } }, async (request, reply) => {
    const { catalogue } = brandOf(request)
    const requestFields = await readRequest(dependencies, request)
    try {
      const model = videoModel(resolveModel(catalogue, requestFields.fields['model'], '/v1/models'))
      const { displayed } = effectiveModels.of(model)
      const body = placeReference(displayed, taskBody(displayed, requestFields))
      const submitResult = await afterEarlierSubmits(dependencies, { request, fields: requestFields.fields }, () =>
        submitOnce(dependencies, { request, reply }, { body, index: 0 }),
      )
      if (submitResult.isResponseLost) return breakConnection(request, reply)
      sendVideo(dependencies, request, reply, submitResult)
      receipts.watch(reply, [submitResult.task.id])
    } catch (cause) {
      await requestFields.removeFiles()
      throw cause
    }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { limit, after, order } = readQueryParameters(request.query, videoListParameters)
      if (after !== undefined && !isTaskId(after)) throw invalidParam('after', 'after must be the id of a video.')
      const { accountNo } = principalOf(request)
      const { tasks, hasMore } = await readTaskPage(store, { accountNo, object: 'video', limit, ...positionOf(after, order) })
      const videos = tasks.map((task) => videoTextOf(dependencies, request, { task }))
      const position = JSON.stringify({ first_id: tasks[0]?.id ?? null, last_id: tasks.at(-1)?.id ?? null, has_more: hasMore })
      return reply
        .header('content-type', jsonContentType)
        .send(`{"object":"list","data":[${videos.join(',')}],${position.slice(1)}`)
    },
  })

  app.route<VideoRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const task = await findTask(store, principalOf(request).accountNo, request.params.id)
      receipts.recordQuery(task)
      sendVideo(dependencies, request, reply, { task })
    },
  })

  app.route<VideoRequest>({
    method: 'DELETE',
    url: `${url}/:id`,
    onRequest: authorize(keys, 'tasks:write'),
    async handler(request, reply) {
      const id = await deletion.deleteTask(request.params.id, principalOf(request).accountNo)
      if (id === undefined) throw taskNotFound()
      return reply.header('content-type', jsonContentType).send(JSON.stringify({ id, object: 'video.deleted', deleted: true }))
    },
  })

  // This route does not check the Accept header, because the official clients send
  // application/binary.
  app.route<VideoRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id/content`,
    onRequest: authorize(keys, 'tasks:read', () => {}),
    async handler(request, reply) {
      const { variant = 'video' } = readQueryParameters(request.query, videoContentParameters)
      const task = await findTask(store, principalOf(request).accountNo, request.params.id)
      const { resultOrigin } = brandOf(request)
      const view = JSON.parse(views.view(task, resultOrigin).text) as { result_url?: string }
      const [result] = task.results
      if (view.result_url === undefined || result === undefined) throw noVideoContent(task)
      if (variant === 'video') return reply.redirect(view.result_url, 302)
      // If the preview does not exist yet, it is created when the link is requested.
      if (!previews.canCreate(result, variant)) throw noPreview(variant)
      const { url } = signer.sign(previewKey(result.objectKey, variant), Math.floor(clock() / 1000), { origin: resultOrigin })
      return reply.redirect(url, 302)
    },
  })
}

function videoModel(model: Model): Model {
  const object = taskObjectOf(model)
  if (object === 'video') return model
  const rightEndpoint = object === 'text' ? '/v2/model-center/tasks' : '/v1/images/generations'
  throw invalidParam('model', `${model.id} generates ${object}s; send the request to ${rightEndpoint}`)
}

/** Converts `after` to the position of the next page in the given order. */
function positionOf(afterId: string | undefined, order: 'asc' | 'desc' | undefined): Partial<TaskListQuery> {
  if (order === 'asc') return { isOldestFirst: true, ...(afterId !== undefined && { afterId }) }
  return afterId === undefined ? {} : { beforeId: afterId }
}
