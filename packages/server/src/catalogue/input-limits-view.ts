import type { ShownInputLimits } from '@framegate/contract'
import type { InputLimits, KindLimits } from '../lib/input-limits.ts'

/** Returns the limits as the catalogue shows them, or undefined if the model has no limits. */
export function inputLimitsView({ video, audio, filesMax }: InputLimits = {}): ShownInputLimits | undefined {
  const view = {
    ...(video && { video: kindView(video) }),
    ...(audio && { audio: kindView(audio) }),
    ...(filesMax !== undefined && { files_max: filesMax }),
  }
  return Object.keys(view).length === 0 ? undefined : view
}

function kindView({ types, ...numbers }: KindLimits): NonNullable<ShownInputLimits['video']> {
  const fields = Object.entries(numbers).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return { ...(types && { types: [...types] }), ...(Object.fromEntries(fields) as object) }
}

/**
 * Returns the limits in words, such as `videos: 2 to 15 seconds each`, or null if the model has no
 * limits.
 */
export function describeInputLimits({ video, audio, filesMax }: InputLimits = {}): string | null {
  const parts = [
    ...(video ? [`videos: ${describeKindLimits(video)}`] : []),
    ...(audio ? [`sound: ${describeKindLimits(audio)}`] : []),
    ...(filesMax === undefined ? [] : [`at most ${filesMax} files together, images included`]),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

function describeKindLimits(limits: KindLimits): string {
  const { types, bytesMax, bytesTotalMax, secondsTotalMax } = limits
  const parts = [
    ...(types ? [types.join(' or ')] : []),
    ...describeRange(limits.secondsMin, limits.secondsMax, 'seconds each'),
    ...describeRange(undefined, secondsTotalMax, 'seconds together'),
    ...describeRange(undefined, toMebibytes(bytesMax), 'MiB each'),
    ...describeRange(undefined, toMebibytes(bytesTotalMax), 'MiB together'),
    ...describeRange(limits.sideMin, limits.sideMax, 'pixels a side'),
    ...describeRange(limits.pixelsMin, limits.pixelsMax, 'pixels in all'),
    ...describeRange(limits.fpsMin, limits.fpsMax, 'frames per second'),
  ]
  return parts.join(', ')
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string[] {
  if (from === undefined && to === undefined) return []
  if (to === undefined) return [`at least ${from} ${unit}`]
  return [from === undefined ? `at most ${to} ${unit}` : `${from} to ${to} ${unit}`]
}

function toMebibytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.round((10 * bytes) / 1024 ** 2) / 10
}
