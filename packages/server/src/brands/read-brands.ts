import type { Kysely, Selectable } from 'kysely'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueOfBrand, type BrandModel } from '../catalogue/catalogue-of-brand.ts'
import type { Tables } from '../db/tables.ts'
import type { BrandModelRow, BrandRow } from '../db/tables/account-tables.ts'
import { firstBrandId, productName, type Brand } from './brand.ts'

/** A brand with the JSON text of its rows. A later load compares this text to detect changes. */
export interface LoadedBrand {
  brand: Brand
  rowsJson: string
}

/**
 * Reads all brands, by number. If the rows of a brand have not changed since `previousBrands`, the
 * same object is returned, so that everything cached for it remains valid.
 */
export async function readBrands(
  database: Kysely<Tables>,
  fullCatalogue: Catalogue,
  previousBrands: ReadonlyMap<number, LoadedBrand>,
): Promise<Map<number, LoadedBrand>> {
  const brandRows = await database.selectFrom('brands').selectAll().orderBy('no').execute()
  const modelRows = await database.selectFrom('brand_models').selectAll().orderBy('brand_no').orderBy('model').execute()
  const modelRowsByBrandNo = Map.groupBy(modelRows, ({ brand_no }) => brand_no)
  return new Map(
    brandRows.map((row) => {
      const models = modelRowsByBrandNo.get(row.no) ?? []
      const rowsJson = JSON.stringify([row, models])
      const previous = previousBrands.get(row.no)
      return [row.no, previous?.rowsJson === rowsJson ? previous : { brand: brandOf(row, models, fullCatalogue), rowsJson }]
    }),
  )
}

function brandOf(row: Selectable<BrandRow>, modelRows: readonly BrandModelRow[], fullCatalogue: Catalogue): Brand {
  const models = new Map<string, BrandModel>()
  for (const { model, visibility, title } of modelRows) {
    if (visibility !== null || title !== null) models.set(model, { visibility, title })
  }
  return {
    no: row.no,
    id: row.id,
    name: row.name,
    isWhiteLabel: row.id !== firstBrandId || row.name !== productName,
    color: row.color,
    logoSha256: row.logo_sha256,
    isDefault: row.is_default === 1,
    hosts: JSON.parse(row.hosts) as string[],
    resultOrigin: row.result_origin,
    models,
    otherModels: row.other_models,
    tasksInFlightMax: row.tasks_in_flight_max,
    creditsInFlightMax: row.credits_in_flight_max,
    promptRetentionDays: row.prompt_retention_days,
    createdAtMs: row.created_at,
    catalogue: catalogueOfBrand(fullCatalogue, models, row.other_models),
  }
}
