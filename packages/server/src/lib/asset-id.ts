/** An asset's id is `asset_` and what stands in a task id behind `task_`: a UUIDv7 without dashes. */
const idPattern = /^asset_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/
const scheme = 'asset:'

export function isAssetId(text: string): boolean {
  return idPattern.test(text)
}

/** The id in `asset:ID`, as picture parameters name assets; undefined for every other reference to a picture. */
export function assetIdIn(reference: string): string | undefined {
  if (!reference.startsWith(scheme)) return undefined
  const id = reference.slice(scheme.length)
  return isAssetId(id) ? id : undefined
}
