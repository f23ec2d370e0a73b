import type { PixelSize } from '@framegate/contract'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'

/** Facts about a model that the catalogue supplies to the dispatcher. */
export interface ModelFacts {
  size(parameters: GenerationParameters): PixelSize
  /** Results that a task takes at most; an upstream's further outputs are left. */
  resultsMax(parameters: GenerationParameters): number
  /**
   * Charge in micro-credits for the produced media, at the price the task was accepted at.
   * `producedSeconds` has the length of each video, or null for each image.
   */
  charge(parameters: GenerationParameters, producedSeconds: readonly (number | null)[], priceNo: number | null): number
  /** Longest duration of an attempt, from its start. */
  deadlineMs: number
}

/**
 * The facts of a model as a task was accepted by it: an operator may have changed or removed it
 * since. Undefined when neither this version nor the model is known.
 */
export type FindModelFacts = (
  modelId: string,
  versionNo: number | null,
) => ModelFacts | undefined | Promise<ModelFacts | undefined>
