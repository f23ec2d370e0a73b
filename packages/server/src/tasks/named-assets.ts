import type { Violation } from '@framegate/contract'
import { mediaReferences, type MediaReference } from '../catalogue/media-references.ts'
import type { ParsedParameters } from '../catalogue/model.ts'
import { validationError } from '../catalogue/validation-error.ts'
import type { AssetsMissing } from '../db/task-queue.ts'
import type { AppError } from '../lib/app-error.ts'
import { assetIdIn } from '../identity/asset-id.ts'

type NamedAsset = Pick<MediaReference, 'fieldName' | 'pointer'> & { id: string }

/**
 * Returns the distinct ids of the assets that a task refers to. Returns an empty object if there
 * are none.
 */
export function assetIdsOf(parameters: ParsedParameters): { assetIds?: string[] } {
  const ids = new Set(namedAssetsOf(parameters).map(({ id }) => id))
  return ids.size === 0 ? {} : { assetIds: [...ids] }
}

/**
 * Returns an error with a violation for each field that names a missing asset. An asset of another
 * account counts as missing.
 */
export function missingAssetsError({ ids }: AssetsMissing, parameters: ParsedParameters): AppError {
  const missingAssets = namedAssetsOf(parameters).filter(({ id }) => ids.includes(id))
  return validationError(
    missingAssets.map(({ id, fieldName, pointer }): Violation => {
      const message = `${fieldName} must be an asset of this account, which has no asset with the id ${id}`
      return { pointer, code: 'invalid_parameter', message }
    }),
  )
}

function namedAssetsOf(parameters: ParsedParameters): NamedAsset[] {
  return mediaReferences(parameters).flatMap(({ source, fieldName, pointer }) => {
    const id = assetIdIn(source)
    return id === undefined ? [] : [{ id, fieldName, pointer }]
  })
}
