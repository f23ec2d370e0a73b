import { openApiDocument } from '../packages/contract/src/openapi/document.ts'
import { createCatalogue } from '../packages/server/src/catalogue/catalogue.ts'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { modelView } from '../packages/server/src/catalogue/model-view.ts'

/** The OpenAPI document of a fresh installation, as `docs/openapi.json` keeps it: readable, and each change in a review. */
export function openApiText(): string {
  const models = createCatalogue(defaultFamilies).models.map((model) => modelView(model))
  return `${JSON.stringify(openApiDocument({ basePath: '/api', models, allowsSimulation: true }), null, 2)}\n`
}
