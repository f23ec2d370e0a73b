import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import type { CallbackAddress } from '../../routing/callbacks.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { collectBody, endedEarly } from '../bodies/json-body.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

const bodyBytesMax = 1024 * 1024

/**
 * Adds the route that upstreams call when a job changes. The path contains a secret token. Some
 * upstreams also sign their callbacks.
 */
export function addCallbacksRoute(
  app: FastifyInstance,
  { incoming, config, callbacks, origin }: Pick<HttpDependencies, 'incoming' | 'config' | 'callbacks' | 'origin'>,
): void {
  void app.register(async (scope) => {
    // Signatures cover the raw bytes, so the body is not parsed, regardless of its declared type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload: IncomingMessage, done) => {
      const options = { bytesMax: bodyBytesMax, incoming, owner: () => ({ accountNo: null, isOperator: false }) }
      collectBody(payload, options, (result) => done(null, result))
    })
    scope.post<{ Params: { [Name in keyof CallbackAddress]: string } }>(
      `${config.basePath}/callbacks/:route/:attempt/:token`,
      {
        // A wrong path is rejected before the body is read.
        onRequest(request, _reply, next) {
          if (!callbacks.isGenuine(request.params)) throw new AppError('route_not_found', 'There is nothing at this path.')
          next()
        },
      },
      async (request, reply) => {
        const { body, headers, params, url } = request
        if (body instanceof Error) throw body instanceof AppError ? body : endedEarly(body)
        const reading = await callbacks.receive(params, {
          method: 'POST',
          url: origin() + url,
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        })
        if (reading.trust === 'forged')
          throw new AppError('invalid_signature', 'This callback has no valid signature of its upstream.')
        return reply.header('content-type', jsonContentType).send(JSON.stringify(reading.reply ?? {}))
      },
    )
  })
}
