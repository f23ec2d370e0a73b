import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createBaseApp, type BaseAppDependencies } from '../base-app.ts'
import { createPipelineLimit, type PipelineLimit } from '../connections/pipelined.ts'
import { createDrainConnections } from '../connections/drain-connections.ts'
import { addQueryTaskRoute, type QueryRouteDependencies } from '../routes/query-task-route.ts'
import { addSubmitTaskRoute, type SubmitRouteDependencies } from '../routes/submit-task-route.ts'
import { taskCollections, type TaskCollection } from '../routes/task-collection.ts'
import type { TaskViews } from '../../tasks/task-view.ts'

export interface TaskAppDependencies
  extends BaseAppDependencies, SubmitRouteDependencies, Omit<QueryRouteDependencies, 'store' | 'waiters'> {
  store: SubmitRouteDependencies['store'] & QueryRouteDependencies['store']
  views: TaskViews
  /** See `AppDependencies`. */
  connectionGraceMs: () => number
  /** Passes a request to the main thread, if this server does not serve it. */
  pass: (request: IncomingMessage, response: ServerResponse) => void
}

/** Never used, because long polls are passed to the main thread. */
const noWaiters = { add: () => undefined }

/**
 * Creates the HTTP server of an HTTP thread. It serves submits, and polls other than long polls. It
 * passes all other requests to the main thread.
 */
export async function createTaskApp(dependencies: TaskAppDependencies): Promise<FastifyInstance> {
  const limitPipeline = createPipelineLimit(dependencies.limits.pipelinedMax)
  const { app } = createBaseApp({ ...dependencies, limitPipeline })
  const collections = taskCollections(dependencies.config.basePath, dependencies.views)
  for (const collection of collections) {
    addSubmitTaskRoute(app, dependencies, collection)
    addQueryTaskRoute(app, { ...dependencies, waiters: noWaiters }, collection)
  }
  const drainConnections = createDrainConnections(app.server)
  app.addHook('preClose', () => drainConnections(dependencies.connectionGraceMs()))
  await app.ready()
  passOthers(app, collections, { pass: dependencies.pass, limitPipeline })
  return app
}

function passOthers(
  app: FastifyInstance,
  collections: TaskCollection[],
  { pass, limitPipeline }: Pick<TaskAppDependencies, 'pass'> & { limitPipeline: PipelineLimit },
): void {
  const isServedHere = createIsServedHere(collections)
  const ownListeners = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    // A request above the limit on pipelined requests is not passed. The `onRequest` hook rejects
    // it.
    if (isServedHere(request) || isOverLimit(limitPipeline, response, request)) {
      return ownListeners.forEach((listener) => listener.call(app.server, request, response))
    }
    try {
      pass(request, response)
    } catch {
      request.socket.destroy()
    }
  })
}

function isOverLimit(limitPipeline: PipelineLimit, response: ServerResponse, { socket }: IncomingMessage): boolean {
  try {
    limitPipeline(socket, response)
    return false
  } catch {
    return true
  }
}

/**
 * Returns a function that checks whether a request is a submit, or a poll other than a long poll.
 */
function createIsServedHere(collections: readonly TaskCollection[]): (request: IncomingMessage) => boolean {
  const urls = new Set(collections.map(({ url }) => url))
  return ({ method, url = '', headers }) => {
    if (method === 'POST') return urls.has(url)
    if (method !== 'GET' && method !== 'HEAD') return false
    const slash = url.lastIndexOf('/')
    // `wait` is the only query parameter of a poll, so a poll without parameters is not a long
    // poll. The path `/quote` is not a task.
    const isPoll = urls.has(url.slice(0, slash)) && !url.endsWith('/quote')
    return isPoll && headers['prefer'] === undefined && !url.includes('?', slash)
  }
}
