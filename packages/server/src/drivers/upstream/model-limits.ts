import { mediaParameterNames, mediaParameters, type GenerationParameters } from '../../catalogue/generation-parameters.ts'
import { findInputViolations } from '../../lib/find-input-violations.ts'
import type { GivenInput, InputLimits } from '../../lib/input-limits.ts'
import type { MediaKind } from '../../lib/media-type.ts'
import { isDataUri } from '../../media/data-uri.ts'
import { requestedParameters, refuseOthers, type ParameterName } from './requested-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

/**
 * The documented limits of one model of a provider. A missing limit is unknown: then every value is
 * passed on.
 */
export interface ModelLimits {
  /** The accepted parameters; every other one is refused. */
  parameters: readonly ParameterName[]
  /** A range, or the list of accepted values. */
  seconds?: { from: number; to: number } | readonly number[]
  resolutions?: readonly string[]
  aspectRatios?: readonly string[]
  /** With a `first_frame`, the video has the ratio of that image, whatever `aspect_ratio` says. */
  framesDecideRatio?: boolean
  referenceImagesMax?: number
  referenceVideosMax?: number
  referenceAudiosMax?: number
  /** Limits on probed facts about videos and sound. */
  inputs?: InputLimits
  /**
   * Kinds of files that the provider accepts as a data URI, in addition to images. It fetches other
   * kinds from an address.
   */
  takesDataOf?: readonly MediaKind[]
  /** The values of `task`. */
  tasks?: readonly string[]
  seedMax?: number
  /** Maximum number of results of one job. */
  resultsMax?: number
  /** Whether references cannot be combined with `first_frame` and `last_frame`. */
  referencesStandAlone?: boolean
  /** At least one of them must be given. */
  needsOneOf?: readonly ParameterName[]
}

export function refuseBeyond(
  { parameters, inputs = [] }: Pick<UpstreamRequest, 'parameters' | 'inputs'>,
  limits: ModelLimits,
): ParameterRefusal | null {
  return (
    refuseOthers({ parameters }, limits.parameters) ??
    refuseValues(parameters, limits) ??
    refuseTogether(parameters, limits) ??
    refuseFiles(parameters, inputs, limits)
  )
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
  const refusal =
    refuseCount('reference_videos', asked.reference_videos, limits.referenceVideosMax, 'video') ??
    refuseCount('reference_audios', asked.reference_audios, limits.referenceAudiosMax, 'audio file')
  if (refusal !== null) return refusal
  if (isOutside(asked.task, limits.tasks)) return mustBe('task', orList(limits.tasks ?? []))
  if (limits.seedMax !== undefined && (asked.seed ?? 0) > limits.seedMax) return mustBe('seed', `at most ${limits.seedMax}`)
  return null
}

function refuseCount(
  parameter: ParameterName,
  given: readonly string[] = [],
  countMax: number | undefined,
  noun: string,
): ParameterRefusal | null {
  if (countMax === undefined || given.length <= countMax) return null
  return mustBe(parameter, `at most ${countMax} ${countMax === 1 ? noun : `${noun}s`}`)
}

/** Refuses videos and sound by their form and by their probed facts. */
function refuseFiles(
  asked: GenerationParameters,
  inputs: readonly GivenInput[],
  { inputs: ofInputs, takesDataOf = [] }: ModelLimits,
): ParameterRefusal | null {
  for (const name of mediaParameterNames) {
    const kind = mediaParameters[name]
    if (kind === 'image' || takesDataOf.includes(kind)) continue
    const hasData = [asked[name] ?? []].flat().some((source) => isDataUri(source))
    if (hasData) return { parameter: name, message: `${name} must be a URL or an asset with this model here, not a data URI` }
  }
  const filesGiven = mediaParameterNames.flatMap((name) => asked[name] ?? []).length
  const sent = inputs.filter(({ parameter }) => parameter in asked)
  const [violation] = ofInputs === undefined ? [] : findInputViolations(sent, ofInputs, filesGiven)
  return violation === undefined ? null : { parameter: violation.parameter, message: `${violation.message} with this model here` }
}

function refuseTogether(asked: GenerationParameters, limits: ModelLimits): ParameterRefusal | null {
  const { referencesStandAlone = false, needsOneOf = [] } = limits
  const references = (['reference_images', 'reference_videos', 'reference_audios'] as const).find(
    (name) => (asked[name] ?? []).length > 0,
  )
  if (referencesStandAlone && references !== undefined && (asked.first_frame ?? asked.last_frame) !== undefined) {
    return { parameter: references, message: `${references} cannot be combined with first_frame or last_frame here` }
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
