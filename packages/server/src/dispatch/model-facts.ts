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
  /** Longest duration of an attempt, from its start. */
  deadlineMs: number
  /** What the model with this ID makes now, if an operator has replaced it by one that makes something else. */
  makesNow?: 'image' | 'video'
}

/**
 * The facts of the model version under which a task was accepted: an operator may have changed or
 * removed it since. Undefined when neither this version nor the model is known.
 */
export type FindModelFacts = (
  modelId: string,
  versionNo: number | null,
) => ModelFacts | undefined | Promise<ModelFacts | undefined>
