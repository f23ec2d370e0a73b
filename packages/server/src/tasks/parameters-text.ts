import type { Simulation } from '@framegate/contract'
import type { ParsedParameters } from '../catalogue/model.ts'

/** A task's parameters as stored: JSON texts, the pictures apart, for they may take megabytes and only the driver reads them. */
export interface StoredParameters {
  /** Begins with `simulate` and those that the task's view shows, so that a view parses next to nothing. */
  parameters: string
  pictures: string | null
}

type PictureName = 'first_frame' | 'last_frame' | 'reference_images'
type OtherName = Exclude<keyof ParsedParameters, PictureName>

/** The same text for the same parameters, in whatever order they came: an idempotency key is held to it (`digest-unkept.ts`). */
export function writeParameters(given: ParsedParameters, simulate: Simulation | null = null): StoredParameters {
  const others: Record<OtherName | 'simulate', unknown> = {
    simulate: simulate === null ? undefined : inOrder(simulate),
    seconds: given.seconds,
    seed: given.seed,
    prompt: given.prompt,
    negative_prompt: given.negative_prompt,
    aspect_ratio: given.aspect_ratio,
    resolution: given.resolution,
    watermark: given.watermark,
    audio: given.audio,
  }
  const { first_frame, last_frame, reference_images } = given
  const hasPictures = first_frame !== undefined || last_frame !== undefined || reference_images !== undefined
  return {
    parameters: JSON.stringify(others),
    pictures: hasPictures ? JSON.stringify({ first_frame, last_frame, reference_images }) : null,
  }
}

/** Everything that `writeParameters` has written; `pictures` is null for a task that was given none. */
export function readParameters(parameters: string, pictures: string | null): ParsedParameters & { simulate?: Simulation } {
  const others = JSON.parse(parameters) as ParsedParameters & { simulate?: Simulation }
  return pictures === null ? others : { ...others, ...(JSON.parse(pictures) as ParsedParameters) }
}

function inOrder(simulate: Simulation): object {
  return Object.fromEntries(Object.entries(simulate).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Numbers, as they stand in the text: a view is text again. */
export interface ShownParameters {
  seconds: string | null
  seed: string | null
}

// A simulation is flat and holds no text of the client's own.
const headPattern = /^\{(?:"simulate":(\{[^{}]*\}))?,?(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readShownParameters(text: string): ShownParameters {
  const [, , seconds = null, seed = null] = headPattern.exec(text) ?? []
  return { seconds, seed }
}

export function readStoredSimulation(text: string): Simulation | null {
  const [, simulate] = headPattern.exec(text) ?? []
  return simulate === undefined ? null : (JSON.parse(simulate) as Simulation)
}
