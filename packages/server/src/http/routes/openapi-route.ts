import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { tokenObjectOf } from '../../catalogue/token-model.ts'
import type { Model, PriceRule } from '../../catalogue/model.ts'
import { effectiveModelView } from '../../catalogue/model-view.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { brandOf } from '../brand-of.ts'
import { DocumentCache, type DocumentSource } from '../responses/document-cache.ts'
import { sendLargeFile, type LargeFile } from '../responses/large-file.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'

/**
 * Maximum number of models that have their own schemas in a document. All other models with tasks
 * share a generic schema. Operators may define thousands of models, and a document with all of them
 * would be too large to use.
 */
const describedModelsMax = 300

/**
 * No account has this number. Documents show the prices of the brand, not those of an account.
 */
const anonymousAccountNo = 0

/**
 * Returns the models that have their own schemas. Token models have none, because they have no
 * tasks: their requests are forwarded.
 */
function describedModels({ models }: Catalogue): Model[] {
  return models.filter((model) => tokenObjectOf(model) === undefined).slice(0, describedModelsMax)
}

/** Serves the OpenAPI document of the brand whose host was requested. */
export function addOpenApiRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'allowsSimulation' | 'clock' | 'config' | 'effectiveModels' | 'largeFiles' | 'prices'>,
): void {
  const { config, effectiveModels } = dependencies
  const { basePath } = config
  const documents = new DocumentCache(generate)

  function pricesOf({ no, catalogue }: Brand): (PriceRule | null)[] {
    const nowMs = dependencies.clock()
    const payer = { brandNo: no, accountNo: anonymousAccountNo }
    return describedModels(catalogue).map((model) => dependencies.prices.priceOf(model, payer, nowMs)?.rule ?? null)
  }

  async function generate({ brand, prices }: DocumentSource, signal: AbortSignal): Promise<LargeFile> {
    const { name: title, isWhiteLabel, catalogue } = brand
    const audience = isWhiteLabel ? 'clients' : 'all'
    const modelsWithSchema = describedModels(catalogue)
    await effectiveModels.prepare(modelsWithSchema)
    const models = modelsWithSchema.flatMap((model, index) => {
      const price = prices[index] ?? null
      const effectiveModel = effectiveModels.of(model)
      return price === null ? [] : [effectiveModelView(effectiveModel, effectiveModel.displayed.availability, price)]
    })
    const { allowsSimulation } = dependencies
    return await dependencies.largeFiles.generate(
      { name: 'openapi', service: { title, audience, basePath, models, allowsSimulation } },
      signal,
    )
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: `${basePath}/openapi.json`,
    async handler(request, reply) {
      const brand = brandOf(request)
      const document = await documents.read(
        { brand, prices: pricesOf(brand), routesVersion: effectiveModels.version },
        disconnectSignal(reply),
      )
      return sendLargeFile(request, reply, jsonContentType, document)
    },
  })
}
