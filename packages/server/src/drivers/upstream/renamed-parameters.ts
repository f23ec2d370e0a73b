import { isObject } from '../../lib/is-object.ts'
import { isMediaParameter, isSharedName, mediaParameters } from '../../catalogue/generation-parameters.ts'
import type { GenerationRequest, Json } from '../driver.ts'
import type { UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'
import { mediaUrlOrData, urlOrDataUri, type UpstreamImages } from './upstream-images.ts'

/** A request body for the provider. */
export interface Body {
  [field: string]: Json
}

/**
 * The request without the parameters that the operator's `parameters` rename for the provider. The
 * driver does not check these, because the operator is responsible for them.
 */
export function withoutRenamed<Asked extends Pick<UpstreamRequest, 'parameters'>>(asked: Asked, target: UpstreamTarget): Asked {
  const left = Object.entries(asked.parameters).filter(([name]) => !(name in target.parameters))
  return { ...asked, parameters: Object.fromEntries(left) }
}

/**
 * Adds the model's own parameters to the body, under their own names. Then applies the operator's
 * overrides: parameters under the operator's names, and after them `extra`. A dot in a name leads
 * into an object, as in `settings.seed`. An object in `extra` is merged into the same object of the
 * body. Any other value replaces the value of the body.
 */
export async function applyOperatorOverrides(
  body: Body,
  { parameters, extra }: UpstreamTarget,
  request: GenerationRequest,
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Body> {
  let overridden: Body = { ...body, ...ownParameters(request, { parameters }) }
  for (const [name, upstreamName] of Object.entries(parameters)) {
    const value = await sentAs(name, request, images, signal)
    if (value !== undefined) overridden = layOver(overridden, nestedIn(upstreamName.split('.'), value))
  }
  return layOver(overridden, extra)
}

/** The parameters beyond the shared vocabulary, except those that the operator renames. */
export function ownParameters(
  { parameters }: Pick<GenerationRequest, 'parameters'>,
  target: Pick<UpstreamTarget, 'parameters'>,
): Body {
  const names = Object.keys(parameters).filter((name) => !isSharedName(name) && !(name in target.parameters))
  return Object.fromEntries(names.map((name) => [name, parameters[name] as Json]))
}

export function nestedIn(path: readonly string[], value: Json): Body {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value) as Body
}

export function layOver(body: Body, over: Readonly<Body>): Body {
  const laid = { ...body }
  for (const [name, value] of Object.entries(over)) {
    const below = laid[name]
    laid[name] = isObject(below) && isObject(value) ? layOver(below, value) : value
  }
  return laid
}

async function sentAs(
  name: string,
  { parameters }: GenerationRequest,
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Json | undefined> {
  if (isMediaParameter(name)) {
    const given = parameters[name]
    const isImage = mediaParameters[name] === 'image'
    const sent = (source: string, position: string): Promise<string> =>
      isImage ? urlOrDataUri(images, source, position, signal) : mediaUrlOrData(images, source, position, signal)
    if (given === undefined) return undefined
    return typeof given === 'string' ? sent(given, name) : Promise.all(given.map((one, index) => sent(one, `${name}/${index}`)))
  }
  // The cast is safe, because the value has passed a JSON Schema.
  return parameters[name] as Json | undefined
}
