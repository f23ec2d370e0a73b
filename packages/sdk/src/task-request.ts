import type { KnownModel, ParametersByModel } from './model-parameters.ts'
import type { Simulation } from './simulation.ts'

/**
 * Parameters of a model that this package does not know, because it is newer or an operator has
 * defined it: any. The service validates them.
 */
export interface OtherParameters {
  prompt?: string | undefined
  [name: string]: unknown
}

/** A request: the Model ID, byte for byte, with the parameters of that model beside it. */
export type TaskRequest<Model extends string = string> = {
  model: Model
  /** Refuses the task if it would cost more credits than this. Default: no limit. */
  max_amount?: number | undefined
  /**
   * Improves the prompt of an image or a video first, for the price of `text-prompt-enhance`.
   * Default: false.
   */
  improve_prompt?: boolean | undefined
  /** Public https address that receives the end of this task. Default: none. */
  webhook_url?: string | undefined
  /** Tests a program against failures, delays and broken downloads. Default: none. */
  simulate?: Simulation | undefined
} & (Model extends KnownModel ? ParametersByModel[Model] : OtherParameters)

/** Any string, with the known Model IDs as suggestions. */
export type AnyModel = KnownModel | (string & {})
