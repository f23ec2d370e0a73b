import { isObject } from '../../lib/is-object.ts'
import type { GenerationRequest, Json } from '../driver.ts'
import type { ParameterName } from './requested-parameters.ts'
import type { UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'
import { urlOrDataUri, type UpstreamImages } from './upstream-images.ts'

/** A request body for the provider. */
export interface Body {
  [field: string]: Json
}

/**
 * The request without the parameters that the operator's `parameters` rename for the provider: the
 * operator is responsible for those.
 */
export function withoutRenamed<Asked extends Pick<UpstreamRequest, 'parameters'>>(asked: Asked, target: UpstreamTarget): Asked {
  const left = Object.entries(asked.parameters).filter(([name]) => !(name in target.parameters))
  return { ...asked, parameters: Object.fromEntries(left) }
}

/**
 * The body with the operator's overrides: the operator's names for our parameters, then `extra`. A
 * dot in a name leads into an object, `settings.seed`. Objects of `extra` are merged into those of
 * the body; any other value replaces.
 */
export async function applyOperatorOverrides(
  body: Body,
  { parameters, extra }: UpstreamTarget,
  request: GenerationRequest,
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Body> {
  let spoken = body
  for (const [name, upstreamName] of Object.entries(parameters)) {
    const value = await sentAs(name as ParameterName, request, images, signal)
    if (value !== undefined) spoken = layOver(spoken, nested(upstreamName.split('.'), value))
  }
  return layOver(spoken, extra)
}

function nested(path: readonly string[], value: Json): Body {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value) as Body
}

function layOver(body: Body, over: Readonly<Body>): Body {
  const laid = { ...body }
  for (const [name, value] of Object.entries(over)) {
    const below = laid[name]
    laid[name] = isObject(below) && isObject(value) ? layOver(below, value) : value
  }
  return laid
}

async function sentAs(
  name: ParameterName,
  { parameters }: GenerationRequest,
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const value = parameters[name]
  if (Array.isArray(value)) {
    return Promise.all(value.map((image, index) => urlOrDataUri(images, image, `${name}/${index}`, signal)))
  }
  if (name === 'first_frame' || name === 'last_frame') {
    return typeof value === 'string' ? urlOrDataUri(images, value, name, signal) : undefined
  }
  return value
}
