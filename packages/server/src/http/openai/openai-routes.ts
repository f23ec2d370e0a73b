import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../services.ts'
import { addChangedVideosRoutes } from './changed-videos-routes.ts'
import { Deliveries } from '../connections/deliveries.ts'
import { addForwardRoutes } from './forward-routes.ts'
import { addImagesRoutes } from './images-routes.ts'
import { addModelsRoutes } from './models-routes.ts'
import { formType } from './read-request.ts'
import { addRetryHints } from './running-hints.ts'
import { addVideosRoutes } from './videos-routes.ts'

/**
 * Adds the routes of OpenAI's API, for clients of that API. Each route translates the request to a
 * request of this service, and translates the response back.
 */
export function addOpenAiRoutes(app: FastifyInstance, context: HttpContext): void {
  const url = `${context.config.basePath}/v1`
  app.register(async (scope) => {
    scope.addContentTypeParser(formType, (_request, body, done) => done(null, body))
    addRetryHints(scope)
    const deliveries = new Deliveries(context)
    scope.addHook('onClose', () => deliveries[Symbol.asyncDispose]())
    addModelsRoutes(scope, context, `${url}/models`)
    addChangedVideosRoutes(scope, context, `${url}/videos`, deliveries)
    addVideosRoutes(scope, context, `${url}/videos`, deliveries)
    addImagesRoutes(scope, context, `${url}/images`, deliveries)
    addForwardRoutes(scope, context, url)
  })
}
