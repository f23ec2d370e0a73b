import { openApiDocument } from '../packages/contract/src/openapi/document.ts'
import { createCatalogue } from '../packages/server/src/catalogue/catalogue.ts'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { modelView } from '../packages/server/src/catalogue/model-view.ts'

/**
 * The OpenAPI document of a fresh installation in the form of `docs/openapi.json`: readable, with
 * reviewable diffs.
 */
export function openApiText(): string {
  const models = createCatalogue(defaultFamilies).models.map((model) => modelView(model))
  return `${JSON.stringify(openApiDocument({ basePath: '/api', models, allowsSimulation: true }), null, 2)}\n`
}
