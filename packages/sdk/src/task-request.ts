import type { KnownModel, ParametersByModel } from './model-parameters.ts'
import type { Simulation } from './simulation.ts'

/**
 * Any parameters, for a model that this package does not know. Such a model is newer than the
 * package, or an operator has defined it. The service validates the parameters.
 */
export interface OtherParameters {
  prompt?: string | undefined
  [name: string]: unknown
}

/** A request for a task: the Model ID, and the parameters of that model. */
export type TaskRequest<Model extends string = string> = {
  model: Model
  /** Maximum price in credits. A task that costs more is refused. Default: no limit. */
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

/** Any Model ID. Editors suggest the known ones. */
export type AnyModel = KnownModel | (string & {})
