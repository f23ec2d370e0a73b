import type { AdminModelDefinition } from '@framegate/contract'
import type { Model } from '../catalogue/model.ts'
import { priceView } from '../catalogue/model-view.ts'
import type { PriceBook } from '../catalogue/price-book.ts'
import { sentenceOf } from '../lib/field-violation.ts'
import { mapNullable } from '../lib/map-nullable.ts'
import type { ModelEntry } from '../models/merge-models.ts'
import { ownersForBrand, effectivePrice } from './effective-price.ts'

/**
 * Converts a model definition to its view in the operator API. `activeModel` is the catalogue's
 * model with this ID, if any.
 */
export function modelDefinitionView(
  { id, source, location, document, definition, violations, createdAtMs }: ModelEntry,
  activeModel: Model | undefined,
  book: PriceBook,
  nowMs: number,
): AdminModelDefinition {
  const price = definition === undefined ? null : effectivePrice(definition, ownersForBrand(null), book, nowMs).rule
  return {
    object: 'model_definition',
    id,
    source,
    place: mapNullable(location, (find) => find()),
    definition: { ...document },
    version: definition === undefined ? null : (activeModel?.versionNo ?? null),
    price: mapNullable(price, priceView),
    fault: violations.length === 0 ? null : violations.map(sentenceOf).join(' '),
    created: mapNullable(createdAtMs, (atMs) => Math.floor(atMs / 1000)),
  }
}
