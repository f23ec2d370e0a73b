import type { Json } from '../driver.ts'

/**
 * The whole input of one provider's model as data: the `input` of a route, by parameter. A driver
 * with `takesRouteInput` then sends exactly these fields, refuses every other parameter, and
 * ignores the names and limits that it knows itself.
 *
 * `size`, `width` and `height` are derived from the pixels of the result. With any of them,
 * `aspect_ratio` and `resolution` are expressed in pixels: their entries only limit them.
 */
export type RouteInput = Readonly<Record<string, RouteInputField>>

export interface RouteInputField {
  /** The provider's name for the parameter; a dot leads into an object. Default: the same name. */
  field?: string
  required?: boolean
  /** False: accepted and not sent, because the provider decides. */
  sent?: boolean
  /** The provider's value for each accepted value. Any other value is refused. */
  values?: Readonly<Record<string, Json>>
  /** The form in which the provider takes the value. Default: unchanged; for `size` an object. */
  as?: RouteInputForm
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
}

/** `first`: the only item of a list. `seconds`: `5s`. */
export const routeInputForms = ['text', 'seconds', 'first'] as const
export type RouteInputForm = (typeof routeInputForms)[number]
