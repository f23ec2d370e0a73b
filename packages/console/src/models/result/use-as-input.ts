import type { Model, TaskResult } from '../../api/types.ts'
import { uploadAsset } from '../../assets/upload-asset.ts'
import { mediaUrl } from '../../session/brand.ts'
import { loadModels, modelPath, models } from '../catalogue.ts'
import { queryOf } from '../../api/query.ts'

/** Parameter of a form that takes a result. */
export type InputParameter = 'first_frame' | 'reference_images' | 'reference_videos'

/**
 * Saves a result as an asset, because the result is deleted after its retention period, and returns
 * the path of a form with the asset as an input. The form is that of the result's model if this
 * model has the parameter, or else that of the first available model with the parameter. Null: no
 * available model has it.
 */
export async function pathOfFormWithInput(
  { url, type }: TaskResult,
  modelId: string,
  parameter: InputParameter,
): Promise<string | null> {
  if (models.value === null) await loadModels()
  const acceptsParameter = ({ available, parameters }: Model): boolean => available && parameter in parameters.properties
  const suitableModels = models.value?.filter(acceptsParameter) ?? []
  const model = suitableModels.find(({ id }) => id === modelId) ?? suitableModels[0]
  if (model === undefined) return null
  const response = await fetch(mediaUrl(url))
  const asset = await uploadAsset(new File([await response.blob()], 'result', { type }), () => {})
  return modelPath(model.id, queryOf({ [parameter]: `asset:${asset.id}` }))
}
