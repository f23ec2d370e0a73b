import {
  aspectRatios,
  imagePixelSize,
  imageResolutions,
  videoPixelSize,
  videoResolutions,
  type PixelSize,
} from '@framegate/contract'
import type { ModelDefinition, ParsedParameters } from './model.ts'

type SizedModel = Pick<ModelDefinition, 'object' | 'fixedResolution' | 'parameters'>

/**
 * Returns the exact pixel size of the output. `parameters` must have passed the model's schema. An
 * operator's model may have ratios and resolutions that the contract does not list. A request
 * cannot contain a parameter that no route accepts. For such a parameter, the default in the
 * model's definition is used.
 */
export function outputSize(model: SizedModel, parameters: ParsedParameters): PixelSize {
  if (model.object === 'text') return noPixels
  const { properties } = model.parameters
  const resolution = parameters.resolution ?? model.fixedResolution ?? textOf(properties.resolution?.default)
  const aspectRatio = parameters.aspect_ratio ?? textOf(properties.aspect_ratio?.default)
  const ratio = aspectRatios.find((name) => name === aspectRatio)
  if (model.object === 'image') {
    const size = imageResolutions.find((name) => name === resolution)
    if (ratio !== undefined && size !== undefined) return imagePixelSize(ratio, size)
    return sizeOf(aspectRatio ?? '1:1', shortSideOf(resolution) ?? defaultImageShortSide, 16)
  }
  const size = videoResolutions.find((name) => name === resolution)
  if (ratio !== undefined && size !== undefined) return videoPixelSize(ratio, size)
  return sizeOf(aspectRatio ?? '16:9', shortSideOf(resolution) ?? defaultVideoShortSide, 2)
}

/** A text has no size in pixels. */
const noPixels: PixelSize = { width: 0, height: 0 }

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const defaultImageShortSide = 1024
const defaultVideoShortSide = 720
/** Maximum side in pixels. Larger sides would not fit into the memory of a renderer. */
const sideMax = 4096
/** Smallest number that is taken as a number of pixels if it has no unit. */
const pixelNumberMin = 64
/** Maximum ratio of the longer to the shorter side. A size in pixels may have any ratio. */
const ratioMax = 4

/** Returns the shorter side in pixels for a resolution such as `720p`, `1.5K` or `512`. */
function shortSideOf(resolution: string | undefined): number | undefined {
  const [, number, unit] = /^(\d{1,4}(?:\.\d)?)(p|k)?$/i.exec(resolution ?? '') ?? []
  // A small number without a unit is not a side in pixels, but for example a number of megapixels.
  if (number === undefined || (unit === undefined && Number(number) < pixelNumberMin)) return undefined
  return Number(number) * (unit?.toLowerCase() === 'k' ? 1024 : 1)
}

/**
 * Returns the size for the value of `aspect_ratio`: a ratio such as `16:9`, or a size in pixels
 * such as `1536x640`. For any other text, returns a square. Both sides are multiples of `step`.
 */
function sizeOf(aspectRatio: string, shortSide: number, step: number): PixelSize {
  const [, ...requestedSides] = /^(\d{2,5})[x*:](\d{2,5})$/.exec(aspectRatio) ?? []
  const [requestedWidth = 0, requestedHeight = 0] = requestedSides.map(Number)
  if (Math.min(requestedWidth, requestedHeight) >= pixelNumberMin) {
    const factor = Math.min(1, sideMax / Math.max(requestedWidth, requestedHeight))
    const [width = step, height = step] = [requestedWidth, requestedHeight].map((side) =>
      Math.max(step, step * Math.round((side * factor) / step)),
    )
    return { width, height }
  }
  const [, ratioWidth = '1', ratioHeight = '1'] = /^(\d{1,3}(?:\.\d{1,2})?):(\d{1,3}(?:\.\d{1,2})?)$/.exec(aspectRatio) ?? []
  const ratio = Number(ratioWidth) / Number(ratioHeight)
  const boundedRatio = Number.isFinite(ratio) && ratio > 0 ? Math.min(Math.max(ratio, 1 / ratioMax), ratioMax) : 1
  const sides = [Math.max(1, boundedRatio), Math.max(1, 1 / boundedRatio)].map((factor) => {
    const side = Math.min(Math.max(shortSide, step), sideMax / Math.max(boundedRatio, 1 / boundedRatio)) * factor
    return Math.max(step, step * Math.round(side / step))
  })
  const [width = step, height = step] = sides
  return { width, height }
}
