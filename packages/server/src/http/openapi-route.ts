import type { FastifyInstance } from 'fastify'
import { modelView } from '../catalogue/model-view.ts'
import { jsonContentType } from './answer-error.ts'
import { answerLargeFile, createLargeFile } from './large-file.ts'
import type { HttpContext } from './services.ts'

/** The interface in its own words, for programs. */
export function addOpenApiRoute(app: FastifyInstance, { config, catalogue, allowsSimulation }: HttpContext): void {
  const { basePath } = config
  const models = catalogue.models.map((model) => modelView(model))
  const document = createLargeFile({ name: 'openapi', service: { basePath, models, allowsSimulation } })

  app.route({
    method: ['GET', 'HEAD'],
    url: `${basePath}/openapi.json`,
    async handler(request, reply) {
      return answerLargeFile(request, reply, jsonContentType, await document())
    },
  })
}
