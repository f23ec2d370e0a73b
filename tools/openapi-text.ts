import { openApiDocument } from '../packages/contract/src/openapi/document.ts'
import { createCatalogue } from '../packages/server/src/catalogue/catalogue.ts'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { embeddedTextsOf } from '../packages/server/src/drivers/embedded/embedded-texts.ts'
import { modelView } from '../packages/server/src/catalogue/model-view.ts'

/** A fresh installation has no route to a language model. */
const noRoute = { available: false, reason: 'no_route' } as const

/**
 * Returns the contents of `docs/openapi.json`: the OpenAPI document of a fresh installation,
 * indented so that changes can be reviewed line by line.
 */
export function openApiText(): string {
  const catalogue = createCatalogue(defaultFamilies)
  const isEmbeddedText = embeddedTextsOf(catalogue)
  const models = catalogue.models.map((model) =>
    modelView(model, isEmbeddedText(model.id) === false ? noRoute : model.availability),
  )
  return `${JSON.stringify(openApiDocument({ basePath: '/api', models, allowsSimulation: true }), null, 2)}\n`
}
