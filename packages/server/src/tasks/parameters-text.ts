import { promptExcerptCharacters, type Simulation } from '@framegate/contract'
import {
  isMediaParameter,
  isSharedName,
  mediaParameterNames,
  type MediaParameter,
  type ParameterName,
  type PricedInputs,
} from '../catalogue/generation-parameters.ts'
import type { ParsedParameters } from '../catalogue/model.ts'
import { describeFile, type DescribedFile } from './describe-file.ts'

/** The parameters of a task as stored: two JSON texts. */
export interface StoredParameters {
  /**
   * The `parameters` of the task, exactly as the API shows them, with descriptions in place of data
   * URIs. The fields `simulate`, `seconds` and `seed` come first if they are present, so that a
   * view finds them without parsing the text.
   */
  parameters: string
  /**
   * The input files as the client sent them: images, videos and sounds. They may take megabytes, so
   * they are stored separately, and only until the task ends.
   */
  images: string | null
}

type SharedName = Exclude<ParameterName, MediaParameter>

/**
 * Serializes parameters. Equal parameters have the same text, regardless of their order, because
 * requests with the same idempotency key are compared by this text
 * (`digest-of-unstored-fields.ts`).
 */
export function writeParameters(
  parameters: ParsedParameters,
  simulate: Simulation | null = null,
  billedInputs: PricedInputs | null = null,
  { remixedFrom = null, improvesPrompt = false }: { remixedFrom?: string | null; improvesPrompt?: boolean } = {},
): StoredParameters {
  type FieldName = SharedName | 'simulate' | 'improve_prompt' | 'billed_inputs' | 'remixed_from_video_id'
  const fields: Record<FieldName, unknown> & Record<string, unknown> = {
    simulate: simulate === null ? undefined : sortedFields(simulate),
    seconds: parameters.seconds,
    seed: parameters.seed,
    prompt: parameters.prompt,
    negative_prompt: parameters.negative_prompt,
    aspect_ratio: parameters.aspect_ratio,
    resolution: parameters.resolution,
    watermark: parameters.watermark,
    audio: parameters.audio,
    n: parameters.n,
    task: parameters.task,
    keep_audio: parameters.keep_audio,
    improve_prompt: improvesPrompt || undefined,
    billed_inputs: billedInputs ?? undefined,
    remixed_from_video_id: remixedFrom ?? undefined,
  }
  for (const name of ownParameterNames(parameters)) fields[name] = parameters[name]
  const fileParameterNames = mediaParameterNames.filter((name) => parameters[name] !== undefined)
  if (fileParameterNames.length === 0) return { parameters: JSON.stringify(fields), images: null }
  const fileParameters = fileParameterNames.map((name) => [name, describeFiles(parameters[name])])
  const files = fileParameterNames.map((name) => [name, parameters[name]])
  return {
    parameters: JSON.stringify({ ...fields, ...(Object.fromEntries(fileParameters) as object) }),
    images: JSON.stringify(Object.fromEntries(files)),
  }
}

/** Returns the sorted names of the model's own parameters. */
function ownParameterNames(parameters: ParsedParameters): string[] {
  return Object.keys(parameters)
    .filter((name) => !isSharedName(name))
    .toSorted()
}

function describeFiles(value: string | readonly string[] | undefined): unknown {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value && describeFile(value) : value.map(describeFile)
}

type DisplayedParameters = Omit<ParsedParameters, MediaParameter> & { simulate?: Simulation }

const billedInputsName = 'billed_inputs'
const improvePromptName = 'improve_prompt'
const remixedFromName = 'remixed_from_video_id'
/**
 * Fields that are stored with the parameters but are not parameters. Drivers must not receive them.
 * `simulate` is not a parameter either, but drivers receive it.
 */
const nonParameterNames: ReadonlySet<string> = new Set([billedInputsName, improvePromptName, remixedFromName])

/**
 * Restores the parameters of a task, including defaults. `images` is null for a task that has no
 * files or has ended. The returned parameters then contain no files.
 */
export function readParameters(parametersText: string, images: string | null): ParsedParameters & { simulate?: Simulation } {
  const displayedParameters = JSON.parse(parametersText) as DisplayedParameters
  const fields = Object.fromEntries(
    Object.entries(displayedParameters).filter(([name]) => !isMediaParameter(name) && !nonParameterNames.has(name)),
  ) as DisplayedParameters
  return images === null ? fields : { ...fields, ...(JSON.parse(images) as Pick<ParsedParameters, MediaParameter>) }
}

/**
 * Restores the parameters of a task, with data URIs that lack their contents. This suffices for
 * checks, prices and polls.
 */
export function readParametersWithoutContents(parametersText: string): ParsedParameters & { simulate?: Simulation } {
  const displayedParameters = JSON.parse(parametersText) as Readonly<Record<string, unknown>>
  const fields = Object.entries(displayedParameters)
    .filter(([name]) => !nonParameterNames.has(name))
    .map(([name, value]) => [name, isMediaParameter(name) ? emptyFiles(value) : value])
  return Object.fromEntries(fields) as ParsedParameters & { simulate?: Simulation }
}

/** Replaces descriptions of files by data URIs without contents. */
function emptyFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptyFiles)
  return typeof value === 'string' ? value : `data:${(value as DescribedFile).content_type};base64,`
}

/**
 * Fields that remain when the client's content is removed. They contain no text or file of the
 * client.
 */
const contentFreeFields = [
  'simulate',
  'seconds',
  'seed',
  'aspect_ratio',
  'resolution',
  'watermark',
  'audio',
  'n',
  'task',
  'keep_audio',
  improvePromptName,
  billedInputsName,
  remixedFromName,
] as const

/** Returns parameters without the client's content. A second call changes nothing. */
export function withoutContent(parametersText: string): string {
  const raw = JSON.parse(parametersText) as Readonly<Record<string, unknown>>
  return JSON.stringify(Object.fromEntries(contentFreeFields.map((name) => [name, raw[name]])))
}

/** Returns the inputs on which the price of a task depends, or null if it depends on none. */
export function readBilledInputs(parametersText: string): PricedInputs | null {
  return readNonParameter(parametersText, billedInputsName) as PricedInputs | null
}

/** Returns the id of the task whose video this task edits or extends, or null if there is none. */
export function readRemixedFrom(parametersText: string): string | null {
  return readNonParameter(parametersText, remixedFromName) as string | null
}

/** Whether a task improves its prompt before the generation. */
export function readImprovesPrompt(parametersText: string): boolean {
  return readNonParameter(parametersText, improvePromptName) === true
}

/**
 * Returns the value of one of `nonParameterNames`, or null. A text without the name is not parsed.
 */
function readNonParameter(
  parametersText: string,
  name: typeof billedInputsName | typeof improvePromptName | typeof remixedFromName,
): unknown {
  return parametersText.includes(`"${name}"`)
    ? ((JSON.parse(parametersText) as Readonly<Record<string, unknown>>)[name] ?? null)
    : null
}

function sortedFields(simulate: Simulation): object {
  return Object.fromEntries(Object.entries(simulate).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/**
 * `seconds` and `seed` of the stored parameters as JSON text, which a view copies unparsed. Null:
 * the parameter is absent.
 */
export interface SecondsAndSeed {
  seconds: string | null
  seed: string | null
}

// A simulation has no nested objects and no free text, so it contains no other braces.
const headPattern = /^\{(?:"simulate":(\{[^{}]*\}))?,?(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readSecondsAndSeed(parametersText: string): SecondsAndSeed {
  const [, , seconds = null, seed = null] = headPattern.exec(parametersText) ?? []
  return { seconds, seed }
}

/**
 * Returns the beginning of the prompt as a JSON string, with "…" at the end if it was truncated.
 * Returns null if there is no prompt.
 */
export function readPromptExcerpt(parametersText: string): string | null {
  const { prompt } = JSON.parse(parametersText) as { prompt?: string }
  if (prompt === undefined) return null
  // `slice` counts UTF-16 units. A code point takes at most two of them.
  const promptBeginning = Array.from(prompt.slice(0, 2 * (promptExcerptCharacters + 1)))
  const isComplete = promptBeginning.length <= promptExcerptCharacters
  return JSON.stringify(isComplete ? prompt : `${promptBeginning.slice(0, promptExcerptCharacters).join('')}…`)
}

/** Whether the prompt contains all of the words, which must be in lower case. */
export function promptContains(parametersText: string, words: readonly string[]): boolean {
  const { prompt = '' } = JSON.parse(parametersText) as { prompt?: string }
  const searchedText = prompt.toLowerCase()
  return words.every((word) => searchedText.includes(word))
}

export function readStoredSimulation(parametersText: string): Simulation | null {
  const [, simulate] = headPattern.exec(parametersText) ?? []
  return simulate === undefined ? null : (JSON.parse(simulate) as Simulation)
}
