import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createTaskViews } from '../tasks/task-view.ts'
import { createTaskWaiters } from '../tasks/wait-for-task.ts'
import { createBaseApp } from './base-app.ts'
import { addAccountEventsRoute } from './routes/account-events-route.ts'
import { addAccountRoutes } from './routes/admin/accounts-routes.ts'
import { createAddAdminRoute } from './routes/admin/admin-route.ts'
import { addAttemptRoutes } from './routes/admin/attempts-routes.ts'
import { addHeldTaskRoutes } from './routes/admin/held-tasks-routes.ts'
import { addDeletionRoutes } from './routes/admin/deletion-routes.ts'
import { addAuditRoute } from './routes/admin/audit-route.ts'
import { addLogRoute } from './routes/admin/log-route.ts'
import { addBrandRoutes } from './routes/admin/brands-routes.ts'
import { addAccountCreditsRoutes } from './routes/admin/credits-routes.ts'
import { addKeyRoutes } from './routes/admin/keys-routes.ts'
import { addPriceRoutes } from './routes/admin/prices-routes.ts'
import { addImportRoutes } from './routes/admin/import-routes.ts'
import { addModelDefinitionRoutes } from './routes/admin/models-routes.ts'
import { addRouteRoutes } from './routes/admin/routes-routes.ts'
import { addUpstreamRoutes } from './routes/admin/upstreams-routes.ts'
import { addAllWebhooksRoutes } from './routes/admin/all-webhooks-routes.ts'
import { addOverviewRoute } from './routes/admin/overview-route.ts'
import { addUsageRoutes } from './routes/admin/usage-routes.ts'
import { addVerifyCreditsRoute } from './routes/admin/verify-credits-route.ts'
import { ConsoleRequests } from './console/console-requests.ts'
import { addConsoleRoutes } from './console/console-routes.ts'
import { createSessionCookie } from './console/session-cookie.ts'
import { addAssetRoutes } from './routes/assets-routes.ts'
import { addCallbacksRoute } from './routes/callbacks-route.ts'
import { addCancelTaskRoute } from './routes/cancel-task-route.ts'
import { addCreditAlertRoute } from './routes/credit-alert-route.ts'
import { addCreditsRoute } from './routes/credits-route.ts'
import { addDeleteTasksRoutes } from './routes/delete-tasks-routes.ts'
import { addDocsRoute } from './routes/docs-route.ts'
import { addEntriesRoute } from './routes/entries-route.ts'
import { createDrainConnections } from './connections/drain-connections.ts'
import { addHealthRoutes } from './routes/health-routes.ts'
import { createIsAllowedHost } from './is-allowed-host.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { LargeFiles } from './responses/large-files.ts'
import { addListTasksRoute } from './routes/list-tasks-route.ts'
import { addMediaRoute } from './routes/media-route.ts'
import { addMetricsRoute } from './routes/metrics-route.ts'
import { createModelViews } from './model-views.ts'
import { addModelRoutes } from './routes/model-routes.ts'
import { addMcpRoute } from './mcp/mcp-route.ts'
import { addOpenAiRoutes } from './openai/openai-routes.ts'
import { addOpenApiRoute } from './routes/openapi-route.ts'
import { addQueryTaskRoute } from './routes/query-task-route.ts'
import { addQuoteTaskRoute } from './routes/quote-task-route.ts'
import type { HttpDependencies, AppDependencies } from './http-dependencies.ts'
import { addSubmitTaskRoute } from './routes/submit-task-route.ts'
import { taskCollections } from './routes/task-collection.ts'
import { addTaskEventsRoute } from './routes/task-events-route.ts'
import { addTaskTimelineRoute } from './routes/task-timeline-route.ts'
import { Streams } from './streams/streams.ts'
import { addUploadRoutes } from './routes/uploads-routes.ts'
import { addUsageRoute } from './routes/usage-route.ts'
import { addWebhookRoutes } from './routes/webhooks-routes.ts'

/** Creates the HTTP server of the service, ready to listen. */
export async function createApp(
  dependencies: AppDependencies,
  limitOverrides: Partial<HttpLimits> = {},
): Promise<FastifyInstance> {
  const limits = { ...defaultLimits, ...limitOverrides }
  const consoleRequests = dependencies.console === null ? null : new ConsoleRequests(dependencies.config.basePath)
  const rewriteUrl = (request: IncomingMessage): string => consoleRequests?.rewriteUrl(request) ?? request.url ?? ''
  const { app, incoming } = createBaseApp({ ...dependencies, limits, rewriteUrl })
  const cookie = createSessionCookie(dependencies.console?.cookieSuffix ?? '')
  if (dependencies.console !== null) consoleRequests?.addTo(app, dependencies.console, cookie, dependencies.clock)

  const drainConnections = createDrainConnections(app.server)
  const waiters = createTaskWaiters(dependencies.store, limits.longPollsMax)
  const streams = new Streams(dependencies, limits.streamsMax)
  const streamWaiters = createTaskWaiters(dependencies.store, Infinity)
  app.addHook('preClose', async () => {
    waiters[Symbol.dispose]()
    streams[Symbol.dispose]()
    streamWaiters[Symbol.dispose]()
    // The HTTP threads pass requests to this thread. It serves them until those threads have
    // drained.
    const graceMs = dependencies.connectionGraceMs()
    await Promise.all([drainConnections(graceMs), dependencies.threads.drain(graceMs)])
  })
  const largeFiles = new LargeFiles()
  app.addHook('onClose', () => largeFiles[Symbol.asyncDispose]())
  const httpDependencies: HttpDependencies = {
    ...dependencies,
    largeFiles,
    waiters,
    streams,
    streamWaiters,
    readingPace: limits.readingPace,
    imagesWaitTimeoutMs: limits.imagesWaitTimeoutMs,
    incoming,
    views: createTaskViews({
      ...dependencies,
      ...dependencies.config,
      hasThumbnail: (result) => dependencies.previews.canCreate(result, 'thumbnail'),
    }),
    modelViews: createModelViews(dependencies),
    isAllowedHost: createIsAllowedHost(dependencies.config.allowHosts),
    allowsSimulation: dependencies.config.mode === 'development',
  }
  addRoutes(app, httpDependencies)
  // A process with the role `worker` does not serve the console.
  if (dependencies.console !== null && dependencies.config.role !== 'worker')
    addConsoleRoutes(app, httpDependencies, dependencies.console, cookie)
  await app.ready()
  return app
}

function addRoutes(app: FastifyInstance, dependencies: HttpDependencies): void {
  addHealthRoutes(app, dependencies)
  addMetricsRoute(app, dependencies)
  // A process with the role `worker` serves only health and metrics.
  if (dependencies.config.role === 'worker') return
  const { basePath } = dependencies.config
  const [tasks, ...familyCollections] = taskCollections(basePath, dependencies.views)
  addSubmitTaskRoute(app, dependencies, tasks)
  addQueryTaskRoute(app, dependencies, tasks)
  addListTasksRoute(app, dependencies, tasks.url)
  addCancelTaskRoute(app, dependencies, tasks)
  addDeleteTasksRoutes(app, dependencies, tasks)
  addQuoteTaskRoute(app, dependencies, tasks)
  addTaskTimelineRoute(app, dependencies, tasks)
  addTaskEventsRoute(app, dependencies, tasks)
  addModelRoutes(app, dependencies)

  for (const videos of familyCollections) {
    addSubmitTaskRoute(app, dependencies, videos)
    addQueryTaskRoute(app, dependencies, videos)
  }

  addOpenAiRoutes(app, dependencies)
  addMcpRoute(app, dependencies)
  addAssetRoutes(app, dependencies)
  addUploadRoutes(app, dependencies)
  addWebhookRoutes(app, dependencies)
  addAccountEventsRoute(app, dependencies)
  addCreditsRoute(app, dependencies)
  addCreditAlertRoute(app, dependencies)
  addEntriesRoute(app, dependencies)
  addUsageRoute(app, dependencies)
  const addAdminRoute = createAddAdminRoute(app, dependencies)
  addBrandRoutes(addAdminRoute, dependencies)
  addAccountRoutes(addAdminRoute, dependencies)
  addKeyRoutes(addAdminRoute, dependencies)
  addAccountCreditsRoutes(addAdminRoute, dependencies)
  addVerifyCreditsRoute(addAdminRoute, dependencies)
  addOverviewRoute(addAdminRoute, dependencies)
  addAllWebhooksRoutes(addAdminRoute, dependencies)
  addUsageRoutes(addAdminRoute, dependencies)
  addPriceRoutes(addAdminRoute, dependencies)
  addImportRoutes(addAdminRoute, dependencies)
  addModelDefinitionRoutes(addAdminRoute, dependencies)
  addUpstreamRoutes(addAdminRoute, dependencies)
  addRouteRoutes(app, addAdminRoute, dependencies)
  addAttemptRoutes(addAdminRoute, dependencies)
  addHeldTaskRoutes(addAdminRoute, dependencies)
  addDeletionRoutes(addAdminRoute, dependencies)
  addAuditRoute(addAdminRoute, dependencies)
  addLogRoute(addAdminRoute, dependencies)
  addMediaRoute(app, dependencies)
  addOpenApiRoute(app, dependencies)
  addDocsRoute(app, dependencies)
  addCallbacksRoute(app, dependencies)
}
