import type { Json } from '../driver.ts'

/**
 * The full input mapping of a provider's model, keyed by parameter: the setting `input` of a route
 * to the provider. A driver with `takesRouteInput` then sends exactly these fields and refuses all
 * other parameters. The names and limits in the driver's own tables have no effect.
 *
 * The keys `size`, `width` and `height` stand for the size of the result in pixels. If one of them
 * is present, it replaces `aspect_ratio` and `resolution`, and the entries of these two parameters
 * only limit the accepted values.
 */
export type RouteInput = Readonly<Record<string, RouteInputField>>

export interface RouteInputField {
  /**
   * The provider's field for the parameter; dots separate the parts of a path. Default: the same
   * name.
   */
  field?: string
  required?: boolean
  /**
   * False for a parameter that is accepted but not sent, because the provider determines its value.
   */
  sent?: boolean
  /** The provider's value for each accepted value. All other values are refused. */
  values?: Readonly<Record<string, Json>>
  /**
   * Format in which the provider accepts the value. Default: the value is sent unchanged, and
   * `size` as an object with `width` and `height`.
   */
  as?: RouteInputForm
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
}

/**
 * `text`: a string, for `size` such as `1280x720`. `seconds`: a string such as `5s`. `first`: the
 * first item of a list.
 */
export const routeInputForms = ['text', 'seconds', 'first'] as const
export type RouteInputForm = (typeof routeInputForms)[number]
