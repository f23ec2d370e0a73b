import type { FastifyInstance } from 'fastify'
import type { Brand } from '../brands/brand.ts'
import type { PriceRule } from '../catalogue/model.ts'
import { modelView } from '../catalogue/model-view.ts'
import { jsonContentType } from './answer-error.ts'
import { brandOf } from './brand-of.ts'
import { answerLargeFile, createLargeFile, type LargeFile } from './large-file.ts'
import type { HttpContext } from './services.ts'

/** A document takes about a megabyte; those that were asked for last are kept. */
const documentsKeptMax = 20
/** A document tells the prices of a brand, not those of one of its accounts. */
const noAccountNo = 0

interface Document {
  /** In the order of the models. */
  prices: readonly PriceRule[]
  read: () => Promise<LargeFile>
}

/** The interface in its own words, for programs: of the brand whose host is asked. */
export function addOpenApiRoute(app: FastifyInstance, context: HttpContext): void {
  const { basePath } = context.config
  const documents = new Map<Brand, Document>()

  function documentOf(brand: Brand): Document {
    const prices = pricesOf(brand)
    const known = documents.get(brand)
    const isCurrent = known?.prices.every((price, index) => price === prices[index]) === true
    const document = isCurrent ? known : { prices, read: describe(brand, prices) }
    documents.delete(brand)
    documents.set(brand, document)
    const [oldest] = documents.keys()
    if (documents.size > documentsKeptMax && oldest !== undefined) documents.delete(oldest)
    return document
  }

  function pricesOf({ no, catalogue }: Brand): PriceRule[] {
    const nowMs = context.clock()
    const nobody = { brandNo: no, accountNo: noAccountNo }
    return catalogue.models.map((model) => context.prices.priceOf(model, nobody, nowMs).rule)
  }

  function describe({ name: title, catalogue }: Brand, prices: readonly PriceRule[]): () => Promise<LargeFile> {
    const models = catalogue.models.map((model, index) => modelView(model, model.availability, prices[index]))
    const { allowsSimulation } = context
    return createLargeFile({ name: 'openapi', service: { title, basePath, models, allowsSimulation } })
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: `${basePath}/openapi.json`,
    async handler(request, reply) {
      return answerLargeFile(request, reply, jsonContentType, await documentOf(brandOf(request)).read())
    },
  })
}
