import type { PixelSize } from '@framegate/contract'
import type { GenerationParameters, PricedInputs } from '../catalogue/generation-parameters.ts'

/** What the price of a task was computed from when it was accepted. */
export interface AcceptedPrice {
  /** Number of the price line; null for the catalogue's price. */
  priceNo: number | null
  inputs: PricedInputs | null
}

/** Facts about a model that the catalogue supplies to the dispatcher. */
export interface ModelFacts {
  size(parameters: GenerationParameters): PixelSize
  /** Maximum number of results of a task. Further outputs of an upstream are not fetched. */
  resultsMax(parameters: GenerationParameters): number
  /**
   * Charge in micro-credits for the produced media, at the price the task was accepted at.
   * `producedSeconds` has the length of each video, or null for each image.
   */
  charge(parameters: GenerationParameters, producedSeconds: readonly (number | null)[], accepted: AcceptedPrice): number
  /** The part of a task's hold that its media account for. */
  hold(parameters: GenerationParameters, accepted: AcceptedPrice): number
  /** In Unicode code points. */
  promptCharactersMax: number
  /** Longest duration of an attempt, from its start. */
  deadlineMs: number
  /** Kind of the model that has this ID now, if an operator has replaced the model by one of another kind. */
  replacedBy?: string
}

/**
 * The facts of the model version under which a task was accepted: an operator may have changed or
 * removed it since. Undefined when neither this version nor the model is known.
 */
export type FindModelFacts = (
  modelId: string,
  versionNo: number | null,
) => ModelFacts | undefined | Promise<ModelFacts | undefined>
