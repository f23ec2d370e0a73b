import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { modelView } from '../catalogue/model-view.ts'
import { jsonContentType } from './answer-error.ts'
import { matchesEtag } from './etag.ts'
import type { HttpContext } from './services.ts'

/** The interface in its own words, for programs. Made when it is first asked for: no start waits for it. */
export function addOpenApiRoute(app: FastifyInstance, { config, catalogue, allowsSimulation }: HttpContext): void {
  const service = { basePath: config.basePath, allowsSimulation }
  let written: Promise<{ text: string; etag: string }> | undefined

  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/openapi.json`,
    async handler(request, reply) {
      const { text, etag } = await (written ??= write())
      reply.headers({ etag, 'cache-control': 'no-cache' })
      const ifNoneMatch = request.raw.headers['if-none-match']
      if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return reply.code(304).send()
      return reply.header('content-type', jsonContentType).send(text)
    },
  })

  async function write(): Promise<{ text: string; etag: string }> {
    const { openApiDocument } = await import('@framegate/contract/openapi')
    const models = catalogue.models.map((model) => modelView(model))
    const text = JSON.stringify(openApiDocument({ ...service, models }))
    return { text, etag: `"${hash('sha256', text, 'base64url')}"` }
  }
}
