import type { Json } from '../driver.ts'

/**
 * The whole input of a provider's model as data: the `input` of a route, by parameter. A driver
 * with `takesRouteInput` then sends exactly these fields and refuses every other parameter. It
 * ignores the names and limits in its own tables.
 *
 * `size`, `width` and `height` are derived from the pixels of the result. If one of them is
 * present, `aspect_ratio` and `resolution` are expressed in pixels, and the entries of these two
 * parameters only limit their values.
 */
export type RouteInput = Readonly<Record<string, RouteInputField>>

export interface RouteInputField {
  /** The provider's name for the parameter. A dot leads into an object. Default: the same name. */
  field?: string
  required?: boolean
  /**
   * False for a parameter that is accepted and not sent, because the provider decides its value.
   */
  sent?: boolean
  /** The provider's value for each accepted value. Any other value is refused. */
  values?: Readonly<Record<string, Json>>
  /**
   * The form in which the provider accepts the value. Default: the value is unchanged, and `size`
   * is an object.
   */
  as?: RouteInputForm
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
}

/** `first`: the only item of a list. `seconds`: a text such as `5s`. */
export const routeInputForms = ['text', 'seconds', 'first'] as const
export type RouteInputForm = (typeof routeInputForms)[number]
