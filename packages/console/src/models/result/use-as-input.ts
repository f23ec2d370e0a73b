import type { TaskResult } from '../../api/types.ts'
import { uploadAsset } from '../../assets/upload-asset.ts'
import { mediaUrl } from '../../session/brand.ts'
import { loadModels, modelPath, models } from '../catalogue.ts'
import { queryOf } from '../../api/query.ts'

/**
 * Keeps a result as an asset and returns the address of a form that uses it as its first frame. The
 * result itself would be gone after its retention period.
 */
export async function formWithFirstFrame({ url, type }: TaskResult): Promise<string | null> {
  const response = await fetch(mediaUrl(url))
  const asset = await uploadAsset(new File([await response.blob()], 'result', { type }), () => {})
  if (models.value === null) await loadModels()
  const model = models.value?.find(({ available, parameters }) => available && 'first_frame' in parameters.properties)
  return model === undefined ? null : modelPath(model.id, queryOf({ first_frame: `asset:${asset.id}` }))
}
