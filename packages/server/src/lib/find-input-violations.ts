import type { ProbedInput, InputLimits, KindLimits } from './input-limits.ts'
import type { MediaFacts } from './media-type.ts'

export interface InputViolation {
  parameter: string
  pointer: string
  message: string
}

/**
 * Tolerances for lengths and frame rates. Providers round them, so a video of 10.05 seconds counts
 * as one of 10 seconds.
 */
const [secondsSlack, fpsSlack] = [0.1, 0.5]
const mebibyte = 1024 * 1024

/**
 * Returns the violations of the limits, with the actual and the allowed values. Limits of
 * individual files are checked first, then limits per kind, then limits over all files. If one of
 * these checks finds violations, the later ones are skipped. `fileCount` is the number of
 * files of the request. It may have more images than `inputs`.
 */
export function findInputViolations(
  inputs: readonly ProbedInput[],
  limits: InputLimits,
  fileCount = inputs.length,
): InputViolation[] {
  const violations = inputs.flatMap((input) => {
    const { kind } = input.facts
    const problem = kind === 'image' ? undefined : findProblem(input.facts, limits[kind] ?? {})
    return problem === undefined
      ? []
      : [{ parameter: input.parameter, pointer: input.pointer, message: `${input.fieldName} ${problem}` }]
  })
  if (violations.length > 0) return violations
  const kindViolations = (['video', 'audio'] as const).flatMap((kind) => {
    const inputsOfKind = inputs.filter(({ facts }) => facts.kind === kind)
    const problem = findProblemOfAll(inputsOfKind, limits[kind] ?? {})
    return problem === undefined || inputsOfKind[0] === undefined
      ? []
      : [violationOfParameter(inputsOfKind[0].parameter, problem)]
  })
  if (kindViolations.length > 0) return kindViolations
  const { filesMax } = limits
  if (filesMax === undefined || fileCount <= filesMax || inputs[0] === undefined) return []
  const message = `the request has ${fileCount} images, videos and sounds; at most ${filesMax} are allowed together`
  return [violationOfParameter(inputs[0].parameter, message)]
}

function findProblem(facts: MediaFacts, limits: KindLimits): string | undefined {
  const { contentType, sizeBytes, seconds, width, height, fps } = facts
  const { types, bytesMax, secondsMin = 0, secondsMax = Infinity, sideMin = 0, sideMax = Infinity, fpsMin = 0 } = limits
  if (types !== undefined && !types.includes(contentType)) return `is ${contentType}; it must be ${types.join(' or ')}`
  if (bytesMax !== undefined && sizeBytes > bytesMax) {
    return `has ${mebibytesText(sizeBytes)}; it may have at most ${mebibytesText(bytesMax)}`
  }
  if (seconds !== null && (seconds < secondsMin - secondsSlack || seconds > secondsMax + secondsSlack)) {
    return `is ${seconds} seconds long; it must be ${describeRange(secondsMin, secondsMax)} seconds long`
  }
  const sides = width === null || height === null ? [] : [width, height]
  if (sides.some((side) => side < sideMin || side > sideMax)) {
    return `measures ${width} x ${height} pixels; each side must have ${describeRange(sideMin, sideMax)}`
  }
  const { pixelsMin = 0, pixelsMax = Infinity, fpsMax = Infinity } = limits
  const pixels = width === null || height === null ? null : width * height
  if (pixels !== null && (pixels < pixelsMin || pixels > pixelsMax)) {
    return `measures ${width} x ${height} = ${pixels} pixels; it must have ${describeRange(pixelsMin, pixelsMax)}`
  }
  if (fps !== null && (fps < fpsMin - fpsSlack || fps > fpsMax + fpsSlack)) {
    return `has ${fps} frames per second; it must have ${describeRange(fpsMin, fpsMax)}`
  }
  return undefined
}

function findProblemOfAll(
  inputsOfKind: readonly ProbedInput[],
  { secondsTotalMax, bytesTotalMax }: KindLimits,
): string | undefined {
  const [firstInput] = inputsOfKind
  if (firstInput === undefined) return undefined
  const seconds = Math.round(1000 * inputsOfKind.reduce((sum, { facts }) => sum + (facts.seconds ?? 0), 0)) / 1000
  if (secondsTotalMax !== undefined && seconds > secondsTotalMax + secondsSlack) {
    return `${firstInput.parameter} has ${seconds} seconds in total; at most ${secondsTotalMax} are allowed`
  }
  const bytes = inputsOfKind.reduce((sum, { facts }) => sum + facts.sizeBytes, 0)
  if (bytesTotalMax !== undefined && bytes > bytesTotalMax) {
    return `${firstInput.parameter} has ${mebibytesText(bytes)} in total; at most ${mebibytesText(bytesTotalMax)} are allowed`
  }
  return undefined
}

function describeRange(from: number, to: number): string {
  if (to === Infinity) return `at least ${from}`
  return from === 0 ? `at most ${to}` : `${from} to ${to}`
}

function mebibytesText(bytes: number): string {
  return `${Math.ceil((10 * bytes) / mebibyte) / 10} MiB`
}

function violationOfParameter(parameter: string, message: string): InputViolation {
  return { parameter, pointer: `/${parameter}`, message }
}
