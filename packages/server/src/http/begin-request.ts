import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brands } from '../brands/brands.ts'
import { AppError } from '../lib/app-error.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import type { AdmitOrigin } from './admit-origin.ts'
import { answerError } from './answer-error.ts'
import { addToAnswer } from './answer-fields.ts'
import { hostAsked } from './brand-of.ts'
import type { createPipelineLimit } from './pipelined.ts'
import { pathOf } from './path-of.ts'

interface RequestBeginning {
  allowedMethods: AllowedMethods
  admitOrigin: AdmitOrigin
  brands: Brands
  limitPipeline: ReturnType<typeof createPipelineLimit>
  /** It was told to stop, and goes on for a while. */
  isClosing: () => boolean
}

/**
 * What comes before every route: the brand, what a browser is told of it, and the answer where there is no route.
 * Unrouted requests are answered here and not in a not-found handler, because Fastify would read the body first and might refuse that
 * instead.
 */
export function addRequestBeginning(
  app: FastifyInstance,
  { allowedMethods, admitOrigin, brands, limitPipeline, isClosing }: RequestBeginning,
): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.brand = brands.ofHost(hostAsked(request.raw))
    admitOrigin(request)
    limitPipeline(request.raw.socket, reply.raw)
    // So that nobody has a request on its way when connections are closed.
    if (isClosing()) addToAnswer(request, { connection: 'close' })
    // Node leaves this check to us, so that the answer has our shape.
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      answerError(reply, new AppError('invalid_request', 'An HTTP/1.1 request names its Host.'))
    } else if (request.is404) {
      answerUnrouted(request, reply, allowedMethods.at(pathOf(request.raw.url ?? '')))
    } else {
      next()
    }
  })
}

function answerUnrouted(request: FastifyRequest, reply: FastifyReply, allow: string | undefined): void {
  if (allow === undefined) {
    answerError(reply, new AppError('route_not_found', 'There is nothing at this path.'))
  } else if (request.method === 'OPTIONS') {
    reply.code(204).header('allow', allow).send()
  } else {
    answerError(reply, methodNotAllowed(request.method, allow))
  }
}

export function methodNotAllowed(method: string, allow: string): AppError {
  return new AppError('method_not_allowed', `${method} is not allowed here; this path takes ${allow}.`, { headers: { allow } })
}
