import type { KnownModel, ParametersByModel } from './model-parameters.ts'
import type { Simulation } from './simulation.ts'

/**
 * Parameters of a model without types in this package: one that is newer, or that an operator has
 * defined. The service validates them.
 */
export interface OtherParameters {
  prompt?: string | undefined
  [name: string]: unknown
}

/** A task request: a Model ID, and the parameters of that model. */
export type TaskRequest<Model extends string = string> = {
  model: Model
  /** Maximum price in credits. A task that costs more is rejected. Default: no limit. */
  max_amount?: number | undefined
  /**
   * Whether to improve the prompt of an image or video first, at the price of
   * `text-prompt-enhance`. Default: false.
   */
  improve_prompt?: boolean | undefined
  /** Public https URL that receives an event when the task ends. Default: none. */
  webhook_url?: string | undefined
  /** Simulates failures, delays and broken downloads, for testing your program. Default: none. */
  simulate?: Simulation | undefined
} & (Model extends KnownModel ? ParametersByModel[Model] : OtherParameters)

/** Any Model ID. Editors suggest the known ones. */
export type AnyModel = KnownModel | (string & {})
