import type { TaskResult } from '../../api/types.ts'
import { uploadAsset } from '../../assets/upload-asset.ts'
import { mediaUrl } from '../../session/brand.ts'
import { loadModels, modelPath, models } from '../catalogue.ts'
import { queryOf } from '../../api/query.ts'

/**
 * Saves a result as an asset, because the result is deleted after its retention period, and returns
 * the URL of a form that uses it as the first frame.
 */
export async function formWithFirstFrame({ url, type }: TaskResult): Promise<string | null> {
  const response = await fetch(mediaUrl(url))
  const asset = await uploadAsset(new File([await response.blob()], 'result', { type }), () => {})
  if (models.value === null) await loadModels()
  const model = models.value?.find(({ available, parameters }) => available && 'first_frame' in parameters.properties)
  return model === undefined ? null : modelPath(model.id, queryOf({ first_frame: `asset:${asset.id}` }))
}
