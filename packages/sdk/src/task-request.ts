import type { KnownModel, ParametersByModel } from './model-parameters.ts'
import type { Simulation } from './simulation.ts'

/** A model that is newer than this package takes any parameter: the service checks them all the same. */
export interface OtherParameters {
  prompt: string
  [name: string]: unknown
}

/** What is to be made: the Model ID, byte for byte, and that model's parameters beside it. */
export type TaskRequest<Model extends string = string> = {
  model: Model
  /** Refuses the task when it would cost more credits than this. Default: no bound. */
  max_amount?: number | undefined
  /** To try a program against failures, delays and broken downloads. Default: none. */
  simulate?: Simulation | undefined
} & (Model extends KnownModel ? ParametersByModel[Model] : OtherParameters)

/** Any string, with the known Model IDs as suggestions. */
export type AnyModel = KnownModel | (string & {})
