import { outputSize } from '../../catalogue/output-size.ts'
import { listOf, quote } from '../../catalogue/describe-schema.ts'
import type { Model, ParameterSchema } from '../../catalogue/model.ts'
import { AppError } from '../../lib/app-error.ts'

/** Values of the parameters that determine the size of a result. A model may lack one or both. */
export interface SizeParameters {
  aspect_ratio?: string
  resolution?: string
}

/**
 * Maximum number of combinations to compute, because an operator's model may have many ratios and
 * resolutions.
 */
const combinationsMax = 1_000
const listedMax = 20
/** The sizes of each model, computed at the first request for it. */
const sizesByModel = new WeakMap<Model, Map<string, SizeParameters>>()

/**
 * Finds the aspect ratio and the resolution for which the model's output has exactly this size,
 * such as `1280x720`. If there are none, throws an `AppError` that lists sizes of the model.
 */
export function matchSize(model: Model, size: string): SizeParameters {
  const sizes = sizesByModel.get(model) ?? computeSizes(model)
  sizesByModel.set(model, sizes)
  const matchingSize = sizes.get(size.toLowerCase())
  if (matchingSize !== undefined) return matchingSize
  const names = [...sizes.keys()]
  const listedSizes = names.length > listedMax ? [...names.slice(0, listedMax), `${names.length - listedMax} others`] : names
  throw new AppError('invalid_parameter', `size must be ${listOf(listedSizes)} for this model; got ${quote(size)}`, {
    param: 'size',
  })
}

function computeSizes(model: Model): Map<string, SizeParameters> {
  const { aspect_ratio, resolution } = model.parameters.properties
  const sizes = new Map<string, SizeParameters>()
  let combinationCount = 0
  for (const ratio of choicesOf(aspect_ratio)) {
    for (const resolutionChoice of choicesOf(resolution)) {
      if (++combinationCount > combinationsMax) return sizes
      const parameters = {
        ...(ratio !== null && { aspect_ratio: ratio }),
        ...(resolutionChoice !== null && { resolution: resolutionChoice }),
      }
      const { width, height } = outputSize(model, parameters)
      const name = `${width}x${height}`
      if (!sizes.has(name)) sizes.set(name, parameters)
    }
  }
  return sizes
}

/**
 * Returns the values that a parameter lists. A parameter that lists none, or that the model lacks,
 * has one choice: null, its default.
 */
function choicesOf(schema: ParameterSchema | undefined): (string | null)[] {
  const choices = schema?.enum ?? (schema?.const === undefined ? [] : [schema.const])
  return choices.length === 0 ? [null] : choices.map(String)
}
