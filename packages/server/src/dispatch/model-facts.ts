import type { PixelSize } from '@framegate/contract'
import type { GenerationParameters, PricedInputs } from '../catalogue/generation-parameters.ts'

/** Basis of the price of a task at the time when the task was accepted. */
export interface AcceptedPrice {
  /** Number of the price line. Null if the price comes from the catalogue. */
  priceNo: number | null
  inputs: PricedInputs | null
}

/** Facts about a model that the catalogue supplies to the dispatcher. */
export interface ModelFacts {
  size(parameters: GenerationParameters): PixelSize
  /** Maximum number of results of a task. Further outputs of an upstream are not fetched. */
  resultsMax(parameters: GenerationParameters): number
  /**
   * Charge in micro-credits for the produced media, at the price at which the task was accepted.
   * `producedSeconds` has one element for each result: the length of a video, or null for an image.
   */
  charge(parameters: GenerationParameters, producedSeconds: readonly (number | null)[], accepted: AcceptedPrice): number
  /** The part of a task's hold that covers its media, in micro-credits. */
  hold(parameters: GenerationParameters, accepted: AcceptedPrice): number
  /** Maximum length of a prompt in Unicode code points. */
  promptCharactersMax: number
  /** Maximum duration of an attempt, from its start. */
  deadlineMs: number
  /**
   * Kind of the model that has this ID now. Set only if an operator has replaced the model by one
   * of another kind.
   */
  replacedBy?: string
}

/**
 * Returns the facts of the model version under which a task was accepted. An operator may have
 * changed or removed the model since. Returns undefined when neither this version nor the model is
 * known.
 */
export type FindModelFacts = (
  modelId: string,
  versionNo: number | null,
) => ModelFacts | undefined | Promise<ModelFacts | undefined>
