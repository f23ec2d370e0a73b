import { promptExcerptCharacters, type Simulation } from '@framegate/contract'
import { isSharedName, type ParameterName } from '../catalogue/generation-parameters.ts'
import type { ParsedParameters } from '../catalogue/model.ts'
import { describeImage } from './describe-image.ts'

/** A task's parameters as stored: JSON texts. */
export interface StoredParameters {
  /**
   * The `parameters` of a query, byte for byte. Image data is described, not contained.
   * Begins with `simulate`, `seconds` and `seed`, so that a view finds them without parsing the
   * text.
   */
  parameters: string
  /**
   * The images as given. They may take megabytes, so they are stored separately, only for the
   * driver, until the task ends.
   */
  images: string | null
}

type ImageName = 'first_frame' | 'last_frame' | 'reference_images'
type OtherName = Exclude<ParameterName, ImageName>

/**
 * Writes the same text for the same parameters, whatever their order. The comparison for an
 * idempotency key relies on this (`digest-of-unstored-fields.ts`).
 */
export function writeParameters(given: ParsedParameters, simulate: Simulation | null = null): StoredParameters {
  const others: Record<OtherName | 'simulate', unknown> & Record<string, unknown> = {
    simulate: simulate === null ? undefined : inOrder(simulate),
    seconds: given.seconds,
    seed: given.seed,
    prompt: given.prompt,
    negative_prompt: given.negative_prompt,
    aspect_ratio: given.aspect_ratio,
    resolution: given.resolution,
    watermark: given.watermark,
    audio: given.audio,
    n: given.n,
    ...ownParametersOf(given),
  }
  const { first_frame, last_frame, reference_images } = given
  const hasImages = first_frame !== undefined || last_frame !== undefined || reference_images !== undefined
  if (!hasImages) return { parameters: JSON.stringify(others), images: null }
  const shown: Record<ImageName, unknown> = {
    first_frame: first_frame && describeImage(first_frame),
    last_frame: last_frame && describeImage(last_frame),
    reference_images: reference_images?.map(describeImage),
  }
  return {
    parameters: JSON.stringify({ ...others, ...shown }),
    images: JSON.stringify({ first_frame, last_frame, reference_images }),
  }
}

/** Parameters of the model alone, sorted by name. */
function ownParametersOf(given: ParsedParameters): Record<string, unknown> {
  const names = Object.keys(given).filter((name) => !isSharedName(name))
  return Object.fromEntries(names.toSorted().map((name) => [name, given[name]]))
}

type ParametersAsShown = Omit<ParsedParameters, ImageName> & Partial<Record<ImageName, unknown>> & { simulate?: Simulation }

/**
 * The parameters as given. `images` is null for a task without images, and for a task that has
 * ended; the parameters then contain none.
 */
export function readParameters(parameters: string, images: string | null): ParsedParameters & { simulate?: Simulation } {
  const shown = JSON.parse(parameters) as ParametersAsShown
  const { first_frame: _first, last_frame: _last, reference_images: _references, ...others } = shown
  return images === null ? others : { ...others, ...(JSON.parse(images) as Pick<ParsedParameters, ImageName>) }
}

/**
 * Fields that remain when the prompt is removed: settings without any text or image of the client.
 */
const settings = ['simulate', 'seconds', 'seed', 'aspect_ratio', 'resolution', 'watermark', 'audio', 'n'] as const

/** Parameters without the client's content. Idempotent. */
export function withoutContent(parameters: string): string {
  const given = JSON.parse(parameters) as Readonly<Record<string, unknown>>
  return JSON.stringify(Object.fromEntries(settings.map((name) => [name, given[name]])))
}

function inOrder(simulate: Simulation): object {
  return Object.fromEntries(Object.entries(simulate).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Numbers, as they appear in the text, because a view is text again. */
export interface ShownParameters {
  seconds: string | null
  seed: string | null
}

// A simulation is flat and contains no text of the client.
const headPattern = /^\{(?:"simulate":(\{[^{}]*\}))?,?(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readShownParameters(text: string): ShownParameters {
  const [, , seconds = null, seed = null] = headPattern.exec(text) ?? []
  return { seconds, seed }
}

/**
 * The beginning of the prompt as a JSON string; a longer prompt ends in "…". Null when there is no
 * prompt.
 */
export function readPromptExcerpt(text: string): string | null {
  const { prompt } = JSON.parse(text) as { prompt?: string }
  if (prompt === undefined) return null
  // A code point takes at most two of the units that `slice` counts.
  const beginning = Array.from(prompt.slice(0, 2 * (promptExcerptCharacters + 1)))
  const isWhole = beginning.length <= promptExcerptCharacters
  return JSON.stringify(isWhole ? prompt : `${beginning.slice(0, promptExcerptCharacters).join('')}…`)
}

export function readStoredSimulation(text: string): Simulation | null {
  const [, simulate] = headPattern.exec(text) ?? []
  return simulate === undefined ? null : (JSON.parse(simulate) as Simulation)
}
