import type { FastifyInstance } from 'fastify'
import type { HttpDependencies } from '../http-dependencies.ts'
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
export function addOpenAiRoutes(app: FastifyInstance, dependencies: HttpDependencies): void {
  const url = `${dependencies.config.basePath}/v1`
  app.register(async (openaiApp) => {
    openaiApp.addContentTypeParser(formType, (_request, body, done) => done(null, body))
    addRetryHints(openaiApp)
    const receipts = new ResponseReceipts(dependencies)
    openaiApp.addHook('onClose', () => receipts[Symbol.asyncDispose]())
    addModelsRoutes(openaiApp, dependencies, `${url}/models`)
    addChangedVideosRoutes(openaiApp, dependencies, `${url}/videos`, receipts)
    addVideosRoutes(openaiApp, dependencies, `${url}/videos`, receipts)
    addImagesRoutes(openaiApp, dependencies, `${url}/images`, receipts)
    addForwardRoutes(openaiApp, dependencies, url)
  })
}
