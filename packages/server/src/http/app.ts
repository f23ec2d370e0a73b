import type { Server } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { v1Families } from '../catalogue/model.ts'
import type { IsAllowedHost } from '../catalogue/reference-violations.ts'
import { createDialRules, isForbiddenLiteral } from '../lib/guarded-fetch/dial-rules.ts'
import { openFilesMax } from '../lib/open-files-max.ts'
import { createTaskViews } from '../tasks/task-view.ts'
import { createTaskWaiters } from '../tasks/wait-for-task.ts'
import { createAdmitOrigin } from './admit-origin.ts'
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
import { collectAllowedMethods } from './allowed-methods.ts'
import { sendThrown } from './responses/send-thrown.ts'
import { addResponseFields, completeResponse } from './responses/response-fields.ts'
import { ConsoleRequests } from './console/console-requests.ts'
import { addConsoleRoutes } from './console/console-routes.ts'
import { createSessionCookie } from './console/session-cookie.ts'
import { IncomingMemory } from './bodies/incoming-memory.ts'
import { addAssetRoutes } from './routes/assets-routes.ts'
import { addRequestBeginning } from './begin-request.ts'
import { addCallbacksRoute } from './routes/callbacks-route.ts'
import { addCancelTaskRoute } from './routes/cancel-task-route.ts'
import { sendClientError, refuseTunnels } from './connections/client-error.ts'
import { addCreditAlertRoute } from './routes/credit-alert-route.ts'
import { addCreditsRoute } from './routes/credits-route.ts'
import { addDeleteTasksRoutes } from './routes/delete-tasks-routes.ts'
import { addDocsRoute, docsPathOf } from './routes/docs-route.ts'
import { addEntriesRoute } from './routes/entries-route.ts'
import { createIdleConnectionCloser } from './connections/close-idle-connections.ts'
import { addHealthRoutes } from './routes/health-routes.ts'
import { isOperator } from './is-operator.ts'
import { addJsonBodies, type IncomingBodies } from './bodies/json-body.ts'
import { JsonParser } from './bodies/json-parser.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { LargeFiles } from './responses/large-files.ts'
import { addListTasksRoute } from './routes/list-tasks-route.ts'
import { addRequestLog } from './log-requests.ts'
import { addMediaRoute } from './routes/media-route.ts'
import { addRequestMeasures } from './measure-requests.ts'
import { addMetricsRoute } from './routes/metrics-route.ts'
import { createModelViews } from './model-views.ts'
import { addModelRoutes } from './routes/model-routes.ts'
import { addMcpRoute } from './mcp/mcp-route.ts'
import { addOpenAiRoutes } from './openai/openai-routes.ts'
import { addOpenApiRoute } from './routes/openapi-route.ts'
import { createPipelineLimit } from './connections/pipelined.ts'
import { addQueryTaskRoute } from './routes/query-task-route.ts'
import { addQuoteTaskRoute } from './routes/quote-task-route.ts'
import { createRequestIds } from './request-ids.ts'
import type { HttpContext, HttpServices } from './services.ts'
import { addSubmitTaskRoute } from './routes/submit-task-route.ts'
import type { TaskCollection } from './routes/task-collection.ts'
import { addTaskEventsRoute } from './routes/task-events-route.ts'
import { addTaskTimelineRoute } from './routes/task-timeline-route.ts'
import { Streams } from './streams/streams.ts'
import { PaceWatch } from './connections/transfer-pace.ts'
import { addUploadRoutes } from './routes/uploads-routes.ts'
import { addUsageRoute } from './routes/usage-route.ts'
import { addWebhookRoutes } from './routes/webhooks-routes.ts'

/** Creates the HTTP server of the service, ready to listen. */
export async function createApp(services: HttpServices, limitOverrides: Partial<HttpLimits> = {}): Promise<FastifyInstance> {
  const limits = { ...defaultLimits, ...limitOverrides }
  const { logger } = services
  const nextRequestId = createRequestIds()
  const consoleRequests = services.console === null ? null : new ConsoleRequests(services.config.basePath)
  const app = Fastify({
    logger: false,
    genReqId: nextRequestId,
    rewriteUrl: (request) => consoleRequests?.rewriteUrl(request) ?? request.url ?? '',
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // During shutdown, requests that clients have already sent are served normally. Their
    // connection is closed afterwards.
    return503OnClosing: false,
    // Disables the router's own limit: no parameter can be longer than the header limit, and the
    // routes validate parameters themselves.
    routerOptions: { maxParamLength: limits.headerBytesMax },
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => sendClientError(error, socket, nextRequestId()),
    frameworkErrors: (error, _request, reply) => sendThrown(completeResponse(reply), error, logger),
  })
  app.decorateRequest('principal', null)
  app.decorateRequest('brand', null)
  app.decorateRequest('consoleSession', null)
  app.setErrorHandler((error, _request, reply) => sendThrown(reply, error, logger))
  addRequestLog(app, services.config.basePath, logger)
  addRequestMeasures(app, services.telemetry)
  const incoming = watchIncomingBodies(app, services.brands, limits)
  const parser = new JsonParser()
  app.addHook('onClose', () => parser[Symbol.asyncDispose]())
  addJsonBodies(app, limits, incoming, parser)
  addResponseFields(app)
  addRequestBeginning(app, {
    allowedMethods: collectAllowedMethods(app),
    admitOrigin: createAdmitOrigin(services.config),
    brands: services.brands,
    docsPath: services.config.role === 'worker' ? null : docsPathOf(services.config),
    limitPipeline: createPipelineLimit(limits.pipelinedMax),
    isClosing: services.isClosing,
  })
  const cookie = createSessionCookie(services.console?.cookieSuffix ?? '')
  if (services.console !== null) consoleRequests?.addTo(app, services.console, cookie, services.clock)
  acceptAnyExpectation(app.server)
  refuseTunnels(app.server, nextRequestId)
  app.server.maxConnections = Math.min(limits.connectionsMax, Math.floor(openFilesMax() / 2))

  const closeIdleConnections = createIdleConnectionCloser(app.server)
  const waiters = createTaskWaiters(services.store, limits.longPollsMax)
  const streams = new Streams(services, limits.streamsMax)
  const streamWaiters = createTaskWaiters(services.store, Infinity)
  app.addHook('preClose', async () => {
    waiters[Symbol.dispose]()
    streams[Symbol.dispose]()
    streamWaiters[Symbol.dispose]()
    closeIdleConnections()
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
    imagesWaitMs: limits.imagesWaitMs,
    incoming,
    views: createTaskViews({
      ...services,
      ...services.config,
      hasThumbnail: (result) => services.previews.canMake(result, 'thumbnail'),
    }),
    modelViews: createModelViews(services),
    isAllowedHost: createIsAllowedHost(services.config.allowHosts),
    allowsSimulation: services.config.mode === 'development',
  }
  addRoutes(app, context)
  // A process with the role `worker` has no console.
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
  const { view, text, viewWithSeconds, textWithSeconds } = context.views

  const tasks: TaskCollection = { url: `${basePath}/v2/model-center/tasks`, v1Family: null, view, text }
  addSubmitTaskRoute(app, context, tasks)
  addQueryTaskRoute(app, context, tasks)
  addListTasksRoute(app, context, tasks.url)
  addCancelTaskRoute(app, context, tasks)
  addDeleteTasksRoutes(app, context, tasks)
  addQuoteTaskRoute(app, context, tasks)
  addTaskTimelineRoute(app, context, tasks)
  addTaskEventsRoute(app, context, tasks)
  addModelRoutes(app, context)

  for (const v1Family of v1Families) {
    const videos: TaskCollection = {
      url: `${basePath}/v1/${v1Family}/videos`,
      v1Family,
      view: viewWithSeconds,
      text: textWithSeconds,
    }
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

function watchIncomingBodies(
  app: FastifyInstance,
  brands: HttpServices['brands'],
  { incomingBytesMax, incomingPace }: HttpLimits,
): IncomingBodies {
  const pace = new PaceWatch(incomingPace)
  app.addHook('onClose', async () => pace[Symbol.dispose]())
  return {
    memory: new IncomingMemory(incomingBytesMax),
    pace,
    ownerOf: ({ principal }) => ({
      accountNo: principal?.accountNo ?? null,
      isOperator: principal !== null && isOperator(principal, brands),
    }),
  }
}

function createIsAllowedHost(allowHosts: readonly string[]): IsAllowedHost {
  const rules = createDialRules(allowHosts)
  return (host) => !isForbiddenLiteral(host, null, rules)
}

/**
 * Ignores unknown expectations in the header `Expect`, as RFC 9110 allows. Without this listener,
 * Node would respond with an error. Node handles `Expect: 100-continue` itself.
 */
function acceptAnyExpectation(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
