import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../services.ts'
import { addChangedVideosRoutes } from './changed-videos-routes.ts'
import { ResponseReceipts } from '../connections/response-receipts.ts'
import { addForwardRoutes } from './forward-routes.ts'
import { addImagesRoutes } from './images-routes.ts'
import { addModelsRoutes } from './models-routes.ts'
import { formType } from './read-request.ts'
import { addRetryHints } from './running-hints.ts'
import { addVideosRoutes } from './videos-routes.ts'

/**
 * Adds the routes of OpenAI's API, for clients of that API. Each route translates requests to the
 * format of this service, and responses back.
 */
export function addOpenAiRoutes(app: FastifyInstance, context: HttpContext): void {
  const url = `${context.config.basePath}/v1`
  app.register(async (scope) => {
    scope.addContentTypeParser(formType, (_request, body, done) => done(null, body))
    addRetryHints(scope)
    const receipts = new ResponseReceipts(context)
    scope.addHook('onClose', () => receipts[Symbol.asyncDispose]())
    addModelsRoutes(scope, context, `${url}/models`)
    addChangedVideosRoutes(scope, context, `${url}/videos`, receipts)
    addVideosRoutes(scope, context, `${url}/videos`, receipts)
    addImagesRoutes(scope, context, `${url}/images`, receipts)
    addForwardRoutes(scope, context, url)
  })
}
