import { isObject } from '../../lib/is-object.ts'
import { isMediaParameter, isSharedName, mediaParameters } from '../../catalogue/generation-parameters.ts'
import type { GenerationRequest, Json } from '../driver.ts'
import type { UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'
import { mediaUrlOrData, urlOrDataUri, type UpstreamFiles } from './upstream-files.ts'

/** Request body for the provider. */
export interface Body {
  [field: string]: Json
}

/**
 * Returns the request without the parameters that the operator renames in the setting `parameters`
 * of a route to the upstream. The driver does not check renamed parameters, because the operator is
 * responsible for them.
 */
export function withoutRenamed<Request extends Pick<UpstreamRequest, 'parameters'>>(
  request: Request,
  target: UpstreamTarget,
): Request {
  // Fast path for routes that rename nothing. The search for the values that a model offers calls
  // this function thousands of times.
  if (!Object.keys(target.parameters).some((name) => name in request.parameters)) return request
  const remainingEntries = Object.entries(request.parameters).filter(([name]) => !(name in target.parameters))
  return { ...request, parameters: Object.fromEntries(remainingEntries) }
}

/**
 * Adds to the body the parameters that only this model has, under their own names. Then applies the
 * operator's overrides: first the renamed parameters, then `extra`. A dotted name is a path, as in
 * `settings.seed`. An object in `extra` is merged with the object of the same name in the body. Any
 * other value replaces the value in the body.
 */
export async function applyOperatorOverrides(
  body: Body,
  { parameters, extra }: UpstreamTarget,
  request: GenerationRequest,
  files: UpstreamFiles,
  signal: AbortSignal,
): Promise<Body> {
  let overriddenBody: Body = { ...body, ...ownParameters(request, { parameters }) }
  for (const [name, upstreamName] of Object.entries(parameters)) {
    const value = await valueToSend(name, request, files, signal)
    if (value !== undefined) overriddenBody = mergeInto(overriddenBody, nestedIn(upstreamName.split('.'), value))
  }
  return mergeInto(overriddenBody, extra)
}

/** Returns the parameters that only this model has, except those that the route renames. */
export function ownParameters(
  { parameters }: Pick<GenerationRequest, 'parameters'>,
  target: Pick<UpstreamTarget, 'parameters'>,
): Body {
  const names = Object.keys(parameters).filter((name) => !isSharedName(name) && !(name in target.parameters))
  return Object.fromEntries(names.map((name) => [name, parameters[name] as Json]))
}

/**
 * Whether the route renames the ratio or the resolution. The driver then neither checks nor sends
 * the size of the result.
 */
export function isShapeRenamed({ parameters }: Pick<UpstreamTarget, 'parameters'>): boolean {
  return 'aspect_ratio' in parameters || 'resolution' in parameters
}

export function nestedIn(path: readonly string[], value: Json): Body {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value) as Body
}

export function mergeInto(body: Body, overrides: Readonly<Body>): Body {
  const mergedBody = { ...body }
  for (const [name, value] of Object.entries(overrides)) {
    const existing = mergedBody[name]
    mergedBody[name] = isObject(existing) && isObject(value) ? mergeInto(existing, value) : value
  }
  return mergedBody
}

async function valueToSend(
  name: string,
  { parameters }: GenerationRequest,
  files: UpstreamFiles,
  signal: AbortSignal,
): Promise<Json | undefined> {
  if (isMediaParameter(name)) {
    const value = parameters[name]
    const isImage = mediaParameters[name] === 'image'
    const urlOf = (source: string, position: string): Promise<string> =>
      isImage ? urlOrDataUri(files, source, position, signal) : mediaUrlOrData(files, source, position, signal)
    if (value === undefined) return undefined
    return typeof value === 'string'
      ? urlOf(value, name)
      : Promise.all(value.map((source, index) => urlOf(source, `${name}/${index}`)))
  }
  // The cast is safe, because the value has passed a JSON Schema.
  return parameters[name] as Json | undefined
}
