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
  app.register(async (openaiApp) => {
    openaiApp.addContentTypeParser(formType, (_request, body, done) => done(null, body))
    addRetryHints(openaiApp)
    const receipts = new ResponseReceipts(context)
    openaiApp.addHook('onClose', () => receipts[Symbol.asyncDispose]())
    addModelsRoutes(openaiApp, context, `${url}/models`)
    addChangedVideosRoutes(openaiApp, context, `${url}/videos`, receipts)
    addVideosRoutes(openaiApp, context, `${url}/videos`, receipts)
    addImagesRoutes(openaiApp, context, `${url}/images`, receipts)
    addForwardRoutes(openaiApp, context, url)
  })
}
