import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isTerminal } from '@framegate/contract'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { taskObjectOf } from '../../catalogue/token-model.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { isTaskId } from '../../identity/task-id.ts'
import { AppError } from '../../lib/app-error.ts'
import { findTask, taskNotFound } from '../../tasks/find-task.ts'
import { readTaskPage } from '../../tasks/list-tasks.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { breakConnection } from '../connections/break-connection.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpContext } from '../services.ts'
import { videoContentParameters, videoListParameters } from '@framegate/contract'
import { readRequest } from './read-request.ts'
import type { Deliveries } from './deliveries.ts'
import { addPollHint } from './running-hints.ts'
import { submitOnce } from './submit-once.ts'
import { placeReference, taskBody, wrong } from './task-body.ts'
import { videoObject } from './video-object.ts'

interface VideoRequest {
  Params: { id: string }
}

/** Videos as OpenAI's API has them: every task of a video model is one. */
export function addVideosRoutes(app: FastifyInstance, context: HttpContext, url: string, deliveries: Deliveries): void {
  const { deletion, effectiveModels, keys, store, views } = context

  function send(request: FastifyRequest, reply: FastifyReply, task: TaskRecord): FastifyReply {
    addPollHint(reply, isTerminal(task.status))
    return reply.header('content-type', jsonContentType).send(JSON.stringify(videoOf(request, task)))
  }

  function videoOf(request: FastifyRequest, task: TaskRecord): object {
    const { catalogue, resultOrigin } = brandOf(request)
    return videoObject(task, views.view(task, resultOrigin), catalogue.find(task.model))
  }

  app.post(url, { onRequest: authorize(keys, 'tasks:write'), config: { takesImages: true } }, async (request, reply) => {
    const { catalogue } = brandOf(request)
    const given = await readRequest(context, request)
    try {
      const model = videoModel(resolveModel(catalogue, given.fields['model']))
      const { shown } = effectiveModels.of(model)
      const body = placeReference(shown, taskBody(shown, given))
      const { task, isResponseLost } = await submitOnce(context, { request, reply }, { body, index: 0 })
      if (isResponseLost) return breakConnection(request, reply)
      deliveries.watch(reply, [task.id])
      return send(request, reply, task)
    } catch (cause) {
      await given.removeFiles()
      throw cause
    }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { limit, after } = readQueryParameters(request.query, videoListParameters)
      if (after !== undefined && !isTaskId(after)) throw wrong('after', 'after must be the id of a video.')
      const { accountNo } = principalOf(request)
      const position = after === undefined ? {} : { beforeId: after }
      const { tasks, hasMore } = await readTaskPage(store, { accountNo, object: 'video', limit, ...position })
      const list = {
        object: 'list',
        data: tasks.map((task) => videoOf(request, task)),
        first_id: tasks[0]?.id ?? null,
        last_id: tasks.at(-1)?.id ?? null,
        has_more: hasMore,
      }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(list))
    },
  })

  app.route<VideoRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const task = await findTask(store, principalOf(request).accountNo, request.params.id)
      deliveries.queried(task)
      return send(request, reply, task)
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

  // The official clients ask for application/binary.
  app.route<VideoRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id/content`,
    onRequest: authorize(keys, 'tasks:read', () => {}),
    async handler(request, reply) {
      readQueryParameters(request.query, videoContentParameters)
      const task = await findTask(store, principalOf(request).accountNo, request.params.id)
      const view = JSON.parse(views.view(task, brandOf(request).resultOrigin).text) as { result_url?: string }
      if (view.result_url === undefined) throw noContent(task)
      return reply.redirect(view.result_url, 302)
    },
  })
}

function videoModel(model: Model): Model {
  const object = taskObjectOf(model)
  if (object === 'video') return model
  const elsewhere = object === 'text' ? '/v2/model-center/tasks' : '/v1/images/generations'
  throw wrong('model', `${model.id} makes ${object}s; send the request to ${elsewhere}`)
}

function noContent({ status }: TaskRecord): AppError {
  if (status === 'completed') return new AppError('result_expired', 'This video is no longer kept.')
  const why = status === 'failed' ? 'it has failed' : `it is ${status}; ask again when its status is completed`
  return new AppError('invalid_request', `This video has no content: ${why}.`)
}
