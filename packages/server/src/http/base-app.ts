import type { IncomingMessage, Server } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { openFilesMax } from '../lib/open-files-max.ts'
import { createAdmitOrigin } from './admit-origin.ts'
import { collectAllowedMethods } from './allowed-methods.ts'
import { addRequestBeginning } from './begin-request.ts'
import { IncomingMemory } from './bodies/incoming-memory.ts'
import { addJsonBodies, type SharedBodyLimits } from './bodies/json-body.ts'
import { JsonParser } from './bodies/json-parser.ts'
import { rejectConnect, sendClientError } from './connections/client-error.ts'
import { createPipelineLimit, type PipelineLimit } from './connections/pipelined.ts'
import { PaceWatch } from './connections/transfer-pace.ts'
import { isOperator } from './is-operator.ts'
import type { HttpLimits } from './limits.ts'
import { addRequestLog } from './log-requests.ts'
import { addRequestMeasures } from './measure-requests.ts'
import { createRequestIds } from './request-ids.ts'
import { addResponseFields, completeResponse } from './responses/response-fields.ts'
import { sendThrown } from './responses/send-thrown.ts'
import { docsPathOf } from './routes/docs-route.ts'
import type { AppDependencies } from './http-dependencies.ts'

export interface BaseAppDependencies extends Pick<AppDependencies, 'brands' | 'config' | 'isClosing' | 'logger' | 'telemetry'> {
  limits: HttpLimits
  /** Memory for request bodies. Default: memory that only this server uses. */
  incomingMemory?: IncomingMemory | undefined
  /** Limit on pipelined requests. Default: a limit for the requests of this server only. */
  limitPipeline?: PipelineLimit
  rewriteUrl?: (request: IncomingMessage) => string
}

export interface BaseApp {
  app: FastifyInstance
  incoming: SharedBodyLimits
}

/** Creates an HTTP server that has the hooks of all routes, but no routes yet. */
export function createBaseApp(dependencies: BaseAppDependencies): BaseApp {
  const { limits, rewriteUrl = ({ url = '' }) => url } = dependencies
  const { logger } = dependencies
  const nextRequestId = createRequestIds()
  const app = Fastify({
    logger: false,
    genReqId: nextRequestId,
    rewriteUrl,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // During shutdown, requests that clients have already sent are served normally. Their
    // connection is closed afterwards.
    return503OnClosing: false,
    // Disables the time limit of hooks. When the service stops, a hook waits until other threads
    // have responded to their requests.
    pluginTimeout: 0,
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
  app.decorateRequest('reauthorize', null)
  app.decorateRequest('brand', null)
  app.decorateRequest('consoleSession', null)
  app.setErrorHandler((error, _request, reply) => sendThrown(reply, error, logger))
  addRequestLog(app, dependencies.config.basePath, logger)
  addRequestMeasures(app, dependencies.telemetry)
  const incoming = createSharedBodyLimits(app, dependencies)
  const parser = new JsonParser()
  app.addHook('onClose', () => parser[Symbol.asyncDispose]())
  addJsonBodies(app, limits, incoming, parser)
  addResponseFields(app)
  addRequestBeginning(app, {
    allowedMethods: collectAllowedMethods(app),
    admitOrigin: createAdmitOrigin(dependencies.config),
    brands: dependencies.brands,
    docsPath: dependencies.config.role === 'worker' ? null : docsPathOf(dependencies.config),
    limitPipeline: dependencies.limitPipeline ?? createPipelineLimit(limits.pipelinedMax),
    isClosing: dependencies.isClosing,
  })
  acceptAnyExpectation(app.server)
  rejectConnect(app.server, nextRequestId)
  app.server.maxConnections = Math.min(limits.connectionsMax, Math.floor(openFilesMax() / 2))
  return { app, incoming }
}

function createSharedBodyLimits(app: FastifyInstance, { brands, limits, incomingMemory }: BaseAppDependencies): SharedBodyLimits {
  const pace = new PaceWatch(limits.incomingPace)
  app.addHook('onClose', async () => pace[Symbol.dispose]())
  return {
    memory: incomingMemory ?? new IncomingMemory(limits.incomingBytesMax),
    pace,
    ownerOf: ({ principal }) => ({
      accountNo: principal?.accountNo ?? null,
      isOperator: principal !== null && isOperator(principal, brands),
    }),
  }
}

/**
 * Ignores unknown expectations in the header `Expect`, as RFC 9110 allows. By default, Node
 * responds to them with an error. Node handles `Expect: 100-continue` itself.
 */
function acceptAnyExpectation(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
