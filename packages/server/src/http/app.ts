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
import { createIdleConnectionCloser } from './connections/close-idle-connections.ts'
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
import type { HttpContext, HttpServices } from './services.ts'
import { addSubmitTaskRoute } from './routes/submit-task-route.ts'
import { taskCollections } from './routes/task-collection.ts'
import { addTaskEventsRoute } from './routes/task-events-route.ts'
import { addTaskTimelineRoute } from './routes/task-timeline-route.ts'
import { Streams } from './streams/streams.ts'
import { addUploadRoutes } from './routes/uploads-routes.ts'
import { addUsageRoute } from './routes/usage-route.ts'
import { addWebhookRoutes } from './routes/webhooks-routes.ts'

/** Creates the HTTP server of the service, ready to listen. */
export async function createApp(services: HttpServices, limitOverrides: Partial<HttpLimits> = {}): Promise<FastifyInstance> {
  const limits = { ...defaultLimits, ...limitOverrides }
  const consoleRequests = services.console === null ? null : new ConsoleRequests(services.config.basePath)
  const rewriteUrl = (request: IncomingMessage): string => consoleRequests?.rewriteUrl(request) ?? request.url ?? ''
  const { app, incoming } = createBaseApp({ ...services, limits, rewriteUrl })
  const cookie = createSessionCookie(services.console?.cookieSuffix ?? '')
  if (services.console !== null) consoleRequests?.addTo(app, services.console, cookie, services.clock)

  const closeIdleConnections = createIdleConnectionCloser(app.server)
  const waiters = createTaskWaiters(services.store, limits.longPollsMax)
  const streams = new Streams(services, limits.streamsMax)
  const streamWaiters = createTaskWaiters(services.store, Infinity)
  app.addHook('preClose', async () => {
    waiters[Symbol.dispose]()
    streams[Symbol.dispose]()
    streamWaiters[Symbol.dispose]()
    closeIdleConnections()
    // The HTTP threads pass requests to this thread. It serves them until those threads have
    // drained.
    await services.threads.drain()
  })
  const largeFiles = new LargeFiles()
  app.addHook('onClose', () => largeFiles[Symbol.asyncDispose]())
  const context: HttpContext = {
    ...services,
    largeFiles,
    waiters,
    streams,
    streamWaiters,
    readingPace: limits.readingPace,
    imagesWaitTimeoutMs: limits.imagesWaitTimeoutMs,
    incoming,
    views: createTaskViews({
      ...services,
      ...services.config,
      hasThumbnail: (result) => services.previews.canCreate(result, 'thumbnail'),
    }),
    modelViews: createModelViews(services),
    isAllowedHost: createIsAllowedHost(services.config.allowHosts),
    allowsSimulation: services.config.mode === 'development',
  }
  addRoutes(app, context)
  // A process with the role `worker` does not serve the console.
  if (services.console !== null && services.config.role !== 'worker') addConsoleRoutes(app, context, services.console, cookie)
  await app.ready()
  return app
}

function addRoutes(app: FastifyInstance, context: HttpContext): void {
  addHealthRoutes(app, context)
  addMetricsRoute(app, context)
  // A process with the role `worker` serves only health and metrics.
  if (context.config.role === 'worker') return
  const { basePath } = context.config
  const [tasks, ...familyCollections] = taskCollections(basePath, context.views)
  addSubmitTaskRoute(app, context, tasks)
  addQueryTaskRoute(app, context, tasks)
  addListTasksRoute(app, context, tasks.url)
  addCancelTaskRoute(app, context, tasks)
  addDeleteTasksRoutes(app, context, tasks)
  addQuoteTaskRoute(app, context, tasks)
  addTaskTimelineRoute(app, context, tasks)
  addTaskEventsRoute(app, context, tasks)
  addModelRoutes(app, context)

  for (const videos of familyCollections) {
    addSubmitTaskRoute(app, context, videos)
    addQueryTaskRoute(app, context, videos)
  }

  addOpenAiRoutes(app, context)
  addMcpRoute(app, context)
  addAssetRoutes(app, context)
  addUploadRoutes(app, context)
  addWebhookRoutes(app, context)
  addAccountEventsRoute(app, context)
  addCreditsRoute(app, context)
  addCreditAlertRoute(app, context)
  addEntriesRoute(app, context)
  addUsageRoute(app, context)
  const addAdminRoute = createAddAdminRoute(app, context)
  addBrandRoutes(addAdminRoute, context)
  addAccountRoutes(addAdminRoute, context)
  addKeyRoutes(addAdminRoute, context)
  addAccountCreditsRoutes(addAdminRoute, context)
  addVerifyCreditsRoute(addAdminRoute, context)
  addOverviewRoute(addAdminRoute, context)
  addAllWebhooksRoutes(addAdminRoute, context)
  addUsageRoutes(addAdminRoute, context)
  addPriceRoutes(addAdminRoute, context)
  addImportRoutes(addAdminRoute, context)
  addModelDefinitionRoutes(addAdminRoute, context)
  addUpstreamRoutes(addAdminRoute, context)
  addRouteRoutes(app, addAdminRoute, context)
  addAttemptRoutes(addAdminRoute, context)
  addHeldTaskRoutes(addAdminRoute, context)
  addDeletionRoutes(addAdminRoute, context)
  addAuditRoute(addAdminRoute, context)
  addLogRoute(addAdminRoute, context)
  addMediaRoute(app, context)
  addOpenApiRoute(app, context)
  addDocsRoute(app, context)
  addCallbacksRoute(app, context)
}
