import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import { requestedParameters, refuseOthers, type ParameterName } from './requested-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

/**
 * The documented limits of one model of a provider. A missing limit is unknown: then every value is
 * passed on.
 */
export interface ModelLimits {
  /** Every other parameter is refused. */
  parameters: readonly ParameterName[]
  /** The first and the last of a range, or each value. */
  seconds?: { from: number; to: number } | readonly number[]
  resolutions?: readonly string[]
  aspectRatios?: readonly string[]
  /** With a `first_frame`, the video has the ratio of that image, whatever `aspect_ratio` says. */
  framesDecideRatio?: boolean
  referenceImagesMax?: number
  seedMax?: number
  /** Results of one job at most. */
  resultsMax?: number
  /** `reference_images` cannot be used beside `first_frame` and `last_frame`. */
  referencesStandAlone?: boolean
  /** At least one of them must be given. */
  needsOneOf?: readonly ParameterName[]
}

export function refuseBeyond({ parameters }: Pick<UpstreamRequest, 'parameters'>, limits: ModelLimits): ParameterRefusal | null {
  return refuseOthers({ parameters }, limits.parameters) ?? refuseValues(parameters, limits) ?? refuseTogether(parameters, limits)
}

function refuseValues(asked: GenerationParameters, limits: ModelLimits): ParameterRefusal | null {
  const { seconds, resolutions, aspectRatios, framesDecideRatio = false, referenceImagesMax } = limits
  if (seconds !== undefined && asked.seconds !== undefined && !isAmong(asked.seconds, seconds)) {
    return mustBe('seconds', 'from' in seconds ? `${seconds.from} to ${seconds.to}` : orList(seconds))
  }
  if (isOutside(asked.resolution, resolutions)) return mustBe('resolution', orList(resolutions ?? []))
  const isRatioDecided = framesDecideRatio && asked.first_frame !== undefined
  if (!isRatioDecided && isOutside(asked.aspect_ratio, aspectRatios)) return mustBe('aspect_ratio', orList(aspectRatios ?? []))
  if (referenceImagesMax !== undefined && (asked.reference_images?.length ?? 0) > referenceImagesMax) {
    return mustBe('reference_images', `at most ${referenceImagesMax} ${referenceImagesMax === 1 ? 'image' : 'images'}`)
  }
  if (limits.resultsMax !== undefined && (asked.n ?? 1) > limits.resultsMax) return mustBe('n', `at most ${limits.resultsMax}`)
  if (limits.seedMax !== undefined && (asked.seed ?? 0) > limits.seedMax) return mustBe('seed', `at most ${limits.seedMax}`)
  return null
}

function refuseTogether(asked: GenerationParameters, limits: ModelLimits): ParameterRefusal | null {
  const { referencesStandAlone = false, needsOneOf = [] } = limits
  const hasReferences = (asked.reference_images ?? []).length > 0
  if (referencesStandAlone && hasReferences && (asked.first_frame ?? asked.last_frame) !== undefined) {
    return { parameter: 'reference_images', message: 'reference_images cannot be combined with first_frame or last_frame here' }
  }
  const [needed] = needsOneOf
  if (needed === undefined || requestedParameters(asked).some((name) => needsOneOf.some((one) => one === name))) return null
  return { parameter: needed, message: `${orList(needsOneOf)} is required with this model here` }
}

function mustBe(parameter: ParameterName, whatWouldBeRight: string): ParameterRefusal {
  return { parameter, message: `${parameter} must be ${whatWouldBeRight} with this model here` }
}

function isAmong(value: number, allowed: NonNullable<ModelLimits['seconds']>): boolean {
  return 'from' in allowed ? value >= allowed.from && value <= allowed.to : allowed.includes(value)
}

function isOutside(value: string | undefined, allowed: readonly string[] | undefined): boolean {
  return value !== undefined && allowed !== undefined && !allowed.includes(value)
}

export function orList(values: readonly (string | number)[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
