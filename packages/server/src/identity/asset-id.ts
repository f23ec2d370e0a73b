/**
 * The id of an asset is `asset_` followed by a UUIDv7 without dashes, like a task id after `task_`.
 */
const idPattern = /^asset_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/
const scheme = 'asset:'

export function isAssetId(text: string): boolean {
  return idPattern.test(text)
}

/**
 * Returns the id in a reference of the form `asset:ID`, as used in parameters. Returns undefined
 * for any other reference.
 */
export function assetIdIn(reference: string): string | undefined {
  if (!reference.startsWith(scheme)) return undefined
  const id = reference.slice(scheme.length)
  return isAssetId(id) ? id : undefined
}
