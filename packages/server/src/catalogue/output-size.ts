import assert from 'node:assert'
import {
  aspectRatios,
  imagePixelSize,
  imageResolutions,
  videoPixelSize,
  videoResolutions,
  type PixelSize,
} from '@framegate/contract'
import type { ModelDefinition, ParsedParameters } from './model.ts'

/** Exact pixel size of the output. `parameters` must have passed the model's schema. */
export function outputSize(model: Pick<ModelDefinition, 'object' | 'fixedResolution'>, parameters: ParsedParameters): PixelSize {
  const aspectRatio = oneOf(aspectRatios, parameters.aspect_ratio)
  const resolution = parameters.resolution ?? model.fixedResolution ?? undefined
  return model.object === 'image'
    ? imagePixelSize(aspectRatio, oneOf(imageResolutions, resolution))
    : videoPixelSize(aspectRatio, oneOf(videoResolutions, resolution))
}

function oneOf<Name extends string>(names: readonly Name[], value: string | undefined): Name {
  const found = names.find((name) => name === value)
  assert(found !== undefined, `'${value}' is none of ${names.join(', ')}`)
  return found
}
