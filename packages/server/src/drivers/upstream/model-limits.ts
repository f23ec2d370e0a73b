import { mediaParameterNames, mediaParameters, type GenerationParameters } from '../../catalogue/generation-parameters.ts'
import { findInputViolations } from '../../lib/find-input-violations.ts'
import type { ProbedInput, InputLimits } from '../../lib/input-limits.ts'
import type { MediaKind } from '../../lib/media-type.ts'
import { isDataUri } from '../../media/data-uri.ts'
import { requestedParameters, refuseUnsupported, type ParameterName } from './requested-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

/** Documented limits of one provider model. Without a limit, every value is passed on. */
export interface ModelLimits {
  /** Accepted parameters. All others are refused. */
  parameters: readonly ParameterName[]
  /** A range, or the list of accepted values. */
  seconds?: { from: number; to: number } | readonly number[]
  resolutions?: readonly string[]
  aspectRatios?: readonly string[]
  /**
   * Whether a `first_frame` determines the ratio of the video, so that `aspect_ratio` has no
   * effect.
   */
  firstFrameSetsRatio?: boolean
  referenceImagesMax?: number
  referenceVideosMax?: number
  referenceAudiosMax?: number
  /** Limits on the measured properties of video and audio files. */
  inputs?: InputLimits
  /**
   * Kinds of files, other than images, that the provider accepts as a data URI. It fetches files of
   * the other kinds from a URL.
   */
  dataUriKinds?: readonly MediaKind[]
  /** Accepted values of `task`. */
  tasks?: readonly string[]
  seedMax?: number
  resultsMax?: number
  /** Whether references cannot be combined with a `first_frame` or `last_frame`. */
  isReferenceExclusive?: boolean
  /** Parameters of which at least one is required. */
  requiresOneOf?: readonly ParameterName[]
}

export function refuseBeyondLimits(
  { parameters, inputs = [] }: Pick<UpstreamRequest, 'parameters' | 'inputs'>,
  limits: ModelLimits,
): ParameterRefusal | null {
  return (
    refuseUnsupported({ parameters }, limits.parameters) ??
    refuseValues(parameters, limits) ??
    refuseCombinations(parameters, limits) ??
    refuseFiles(parameters, inputs, limits)
  )
}

function refuseValues(requestParameters: GenerationParameters, limits: ModelLimits): ParameterRefusal | null {
  const { seconds, resolutions, aspectRatios, firstFrameSetsRatio = false, referenceImagesMax } = limits
  if (seconds !== undefined && requestParameters.seconds !== undefined && !isAmong(requestParameters.seconds, seconds)) {
    return refuseValue('seconds', 'from' in seconds ? `${seconds.from} to ${seconds.to}` : joinWithOr(seconds))
  }
  if (isOutside(requestParameters.resolution, resolutions)) return refuseValue('resolution', joinWithOr(resolutions ?? []))
  const isRatioIgnored = firstFrameSetsRatio && requestParameters.first_frame !== undefined
  if (!isRatioIgnored && isOutside(requestParameters.aspect_ratio, aspectRatios))
    return refuseValue('aspect_ratio', joinWithOr(aspectRatios ?? []))
  if (referenceImagesMax !== undefined && (requestParameters.reference_images?.length ?? 0) > referenceImagesMax) {
    return refuseValue('reference_images', `at most ${referenceImagesMax} ${referenceImagesMax === 1 ? 'image' : 'images'}`)
  }
  if (limits.resultsMax !== undefined && (requestParameters.n ?? 1) > limits.resultsMax)
    return refuseValue('n', `at most ${limits.resultsMax}`)
  const refusal =
    refuseCount('reference_videos', requestParameters.reference_videos, limits.referenceVideosMax, 'video') ??
    refuseCount('reference_audios', requestParameters.reference_audios, limits.referenceAudiosMax, 'audio file')
  if (refusal !== null) return refusal
  if (isOutside(requestParameters.task, limits.tasks)) return refuseValue('task', joinWithOr(limits.tasks ?? []))
  if (limits.seedMax !== undefined && (requestParameters.seed ?? 0) > limits.seedMax)
    return refuseValue('seed', `at most ${limits.seedMax}`)
  return null
}

function refuseCount(
  parameter: ParameterName,
  values: readonly string[] = [],
  countMax: number | undefined,
  noun: string,
): ParameterRefusal | null {
  if (countMax === undefined || values.length <= countMax) return null
  return refuseValue(parameter, `at most ${countMax} ${countMax === 1 ? noun : `${noun}s`}`)
}

/**
 * Refuses data URIs of videos and audio files, unless `dataUriKinds` has their kind, and files
 * whose measured properties exceed the limits.
 */
function refuseFiles(
  requestParameters: GenerationParameters,
  inputs: readonly ProbedInput[],
  { inputs: inputLimits, dataUriKinds = [] }: ModelLimits,
): ParameterRefusal | null {
  for (const name of mediaParameterNames) {
    const kind = mediaParameters[name]
    if (kind === 'image' || dataUriKinds.includes(kind)) continue
    const hasDataUri = [requestParameters[name] ?? []].flat().some((source) => isDataUri(source))
    if (hasDataUri) return { parameter: name, message: `${name} must be a URL or an asset for this model, not a data URI` }
  }
  const fileCount = mediaParameterNames.flatMap((name) => requestParameters[name] ?? []).length
  const sentFiles = inputs.filter(({ parameter }) => parameter in requestParameters)
  const [violation] = inputLimits === undefined ? [] : findInputViolations(sentFiles, inputLimits, fileCount)
  return violation === undefined ? null : { parameter: violation.parameter, message: `${violation.message} for this model` }
}

function refuseCombinations(requestParameters: GenerationParameters, limits: ModelLimits): ParameterRefusal | null {
  const { isReferenceExclusive = false, requiresOneOf = [] } = limits
  const references = (['reference_images', 'reference_videos', 'reference_audios'] as const).find(
    (name) => (requestParameters[name] ?? []).length > 0,
  )
  if (
    isReferenceExclusive &&
    references !== undefined &&
    (requestParameters.first_frame ?? requestParameters.last_frame) !== undefined
  ) {
    return { parameter: references, message: `${references} cannot be combined with first_frame or last_frame for this model` }
  }
  const [requiredParameter] = requiresOneOf
  if (
    requiredParameter === undefined ||
    requestedParameters(requestParameters).some((name) => requiresOneOf.some((requiredName) => requiredName === name))
  )
    return null
  return { parameter: requiredParameter, message: `${joinWithOr(requiresOneOf)} is required for this model` }
}

function refuseValue(parameter: ParameterName, acceptedValues: string): ParameterRefusal {
  return { parameter, message: `${parameter} must be ${acceptedValues} for this model` }
}

function isAmong(value: number, allowed: NonNullable<ModelLimits['seconds']>): boolean {
  return 'from' in allowed ? value >= allowed.from && value <= allowed.to : allowed.includes(value)
}

function isOutside(value: string | undefined, allowed: readonly string[] | undefined): boolean {
  return value !== undefined && allowed !== undefined && !allowed.includes(value)
}

export function joinWithOr(values: readonly (string | number)[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
