import type { Model, ParameterSchema } from '@framegate/sdk'

/** Warning about a setting that the model does not support, which the AI SDK logs. */
export interface UnsupportedWarning {
  type: 'unsupported'
  feature: string
  details?: string
}

/**
 * Collects the parameters of a request. A setting without a parameter of the model becomes a
 * warning.
 */
export class RequestParameters {
  readonly values: Record<string, unknown> = {}
  readonly warnings: UnsupportedWarning[] = []
  readonly #schemas: Readonly<Record<string, ParameterSchema>>
  readonly #fixedResolution: string | null

  constructor({ parameters, fixed_resolution: fixedResolution }: Model) {
    this.#schemas = parameters.properties
    this.#fixedResolution = fixedResolution
  }

  has(parameter: string): boolean {
    return parameter in this.#schemas
  }

  /**
   * Sets a parameter, unless the value is undefined. `feature` is the name of the setting in the
   * AI SDK, for a warning.
   */
  set(feature: string, parameter: string, value: unknown): void {
    if (value === undefined) return
    if (this.has(parameter)) this.values[parameter] = value
    else this.warn(feature, `The model has no parameter ${parameter}.`)
  }

  warn(feature: string, details: string): void {
    this.warnings.push({ type: 'unsupported', feature, details })
  }

  /**
   * Sets the ratio and resolution of the model that are nearest to a size in pixels. The service
   * names resolutions by their shorter side (`720p`) or by their class (`2K`).
   */
  setSize(feature: string, size: `${number}x${number}` | undefined, isRatioGiven: boolean): void {
    if (size === undefined) return
    const [width = 0, height = 0] = size.split('x').map(Number)
    if (!isRatioGiven) this.#setNearestRatio(feature, width / height)
    const names = this.#schemas['resolution']?.enum?.map(String) ?? []
    const shortSide = Math.min(width, height)
    const exact = names.find((name) => shortSideOf(name) === shortSide)
    const nearest = exact ?? nearestOf(names, (name) => Math.abs(shortSideOf(name) - shortSide))
    if (nearest === undefined) {
      if (this.#fixedResolution !== null) this.warn(feature, `The resolution of the model is always ${this.#fixedResolution}.`)
      else this.warn(feature, 'The model has no resolutions.')
      return
    }
    this.values['resolution'] = nearest
    if (exact === undefined) this.warn(feature, `${size} is not a resolution of the model. The request uses ${nearest}.`)
  }

  #setNearestRatio(feature: string, ratio: number): void {
    const names = this.#schemas['aspect_ratio']?.enum?.map(String) ?? []
    const nearest = nearestOf(names, (name) => Math.abs(Math.log(ratioOf(name) / ratio)))
    if (nearest === undefined) return
    this.values['aspect_ratio'] = nearest
    if (Math.abs(ratioOf(nearest) / ratio - 1) > 0.02) this.warn(feature, `The nearest ratio of the model is ${nearest}.`)
  }
}

/** Returns the shorter side that a resolution names, in pixels: 720 for `720p`, 1024 for `1K`. */
function shortSideOf(resolution: string): number {
  const number = Number.parseFloat(resolution)
  return /k$/i.test(resolution) ? number * 1024 : number
}

function ratioOf(ratioName: string): number {
  const [width = 1, height = 1] = ratioName.split(':').map(Number)
  return width / height
}

function nearestOf(names: readonly string[], distance: (name: string) => number): string | undefined {
  let nearest: string | undefined
  for (const name of names) {
    if (Number.isNaN(distance(name))) continue
    if (nearest === undefined || distance(name) < distance(nearest)) nearest = name
  }
  return nearest
}
