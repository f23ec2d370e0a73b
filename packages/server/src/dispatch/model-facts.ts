import type { PixelSize } from '@framegate/contract'
import type { GenerationParameters, PricedInputs } from '../catalogue/generation-parameters.ts'

/** The price rule and the inputs that determine the price at which a task was accepted. */
export interface AcceptedPrice {
  /** Number of the row of `prices`. Null if the price comes from the catalogue. */
  priceNo: number | null
  inputs: PricedInputs | null
}

/** The properties of a model that the dispatcher needs. */
export interface ModelFacts {
  size(parameters: GenerationParameters): PixelSize
  /** Maximum number of results of a task. Further outputs of an upstream are not fetched. */
  resultsMax(parameters: GenerationParameters): number
  /**
   * Returns the charge in micro-credits for the results, at the price at which the task was
   * accepted. `producedSeconds` has one element per result: the length of a video, or null for an
   * image or a text.
   */
  charge(parameters: GenerationParameters, producedSeconds: readonly (number | null)[], accepted: AcceptedPrice): number
  /** Returns the part of a task's hold that covers its results, in micro-credits. */
  hold(parameters: GenerationParameters, accepted: AcceptedPrice): number
  /** Maximum length of a prompt in Unicode code points. */
  promptCharactersMax: number
  /** Maximum duration of an attempt, from its start. */
  deadlineMs: number
  /**
   * Kind of the model that now has this ID. Set only if an operator has replaced the model with a
   * model of another kind.
   */
  replacementKind?: string
}

/**
 * Returns the facts of the model version with which a task was accepted. An operator may have
 * changed or removed the model since. Returns undefined if this version no longer exists.
 */
export type FindModelFacts = (
  modelId: string,
  versionNo: number | null,
) => ModelFacts | undefined | Promise<ModelFacts | undefined>
