import { errorCodes, type ErrorCode } from '@framegate/contract'
import { commonHeaders, openApiDocument, type Operation, type Response } from '@framegate/contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { createCatalogue } from '../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../src/catalogue/default-families.ts'
import { modelView } from '../src/catalogue/model-view.ts'

/** A request of a test and its response. */
export interface Exchange {
  /** Origin and base path of the service, with which the URLs of the document's paths begin. */
  baseUrl: string
  method: string
  url: string
  requestHeaders: Headers
  /** Request body as JSON text, if there was one. */
  requestBody?: string | undefined
  status: number
  headers: Iterable<readonly [name: string, value: string]>
  /** Response body. Only set if it is JSON. */
  text: string
}

/** The OpenAPI document of a service with the default catalogue. */
export const apiDocument = openApiDocument({
  basePath: '/api',
  allowsSimulation: true,
  models: createCatalogue(defaultFamilies).models.map((model) => modelView(model)),
})

/**
 * Throws if the OpenAPI document does not allow the response, or does not allow a request that the
 * service accepted. An undocumented path, status, error code, header or field is an error, although
 * clients are asked to ignore unknown fields.
 */
export function requireDocumented(exchange: Exchange): void {
  const violations = findViolations(exchange)
  if (violations.length === 0) return
  const { method, url, status, text } = exchange
  throw new Error(
    `${method} ${url} got HTTP ${status}, which is not as documented:\n  ${violations.join('\n  ')}\n${text.slice(0, 2000)}`,
  )
}

/** Returns the exchange of a `fetch` call. The body of the response stays readable. */
export async function readExchange(
  baseUrl: string,
  url: string,
  init: RequestInit | undefined,
  response: globalThis.Response,
): Promise<Exchange> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    baseUrl,
    method: init?.method ?? 'GET',
    url,
    requestHeaders: new Headers(init?.headers),
    requestBody: typeof init?.body === 'string' ? init.body : undefined,
    status: response.status,
    headers: response.headers,
    text: isJson ? await response.clone().text() : '',
  }
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  // Without code optimization, compiling takes half the time. Each process compiles the schemas.
  code: { optimize: false },
  formats: { int64: true, double: true },
})
ajv.addSchema(closeObjects(JSON.parse(JSON.stringify(apiDocument))) as object, 'openapi')
const validators = new Map<string, ValidateFunction>()

/**
 * Headers that the document does not list: those of the connection and of the body, and the CORS
 * headers, which its introduction describes.
 */
const impliedHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
])
const preflightHeaders = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age']
/** Response headers of OPTIONS for resumable uploads, which the tus protocol defines. */
const tusHeaders = ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size']

function findViolations(exchange: Exchange): string[] {
  const foundOperation = findOperation(exchange)
  const headers = new Map([...exchange.headers].map(([name, value]) => [name.toLowerCase(), value]))
  if (exchange.method === 'OPTIONS' && exchange.status === 204)
    return headerViolations(headers, [...commonHeaders, 'Allow', ...preflightHeaders, ...tusHeaders])
  if (foundOperation === undefined) return responseViolations(exchange, headers, ['components', 'responses', 'AnyError'])
  const { operation, pointer } = foundOperation
  const { status } = exchange
  const key = String(status) in operation.responses ? String(status) : 'default'
  return [
    ...requestViolations(exchange, operation, pointer),
    ...responseViolations(exchange, headers, [...pointer, 'responses', key]),
  ]
}

function responseViolations(exchange: Exchange, headers: Map<string, string>, documentedNames: string[]): string[] {
  const { pointer, value } = resolve(documentedNames)
  const response = value as Response
  const violations = headerViolations(headers, Object.keys(response.headers ?? {}))
  const contentType = headers.get('content-type')?.split(';')[0]
  const mediaTypes = Object.keys(response.content ?? {})
  if (contentType === undefined) {
    if (mediaTypes.length > 0) violations.push(`it has no Content-Type, ${mediaTypes.join(' or ')} is documented`)
    return violations
  }
  if (mediaTypes.length === 0)
    return exchange.method === 'HEAD' ? violations : [...violations, `it is ${contentType}, no body is documented`]
  if (!mediaTypes.includes(contentType)) return [...violations, `it is ${contentType}, documented is ${mediaTypes.join(' or ')}`]
  if (contentType !== 'application/json' || exchange.method === 'HEAD') return violations
  const body: unknown = JSON.parse(exchange.text)
  violations.push(...schemaViolations([...pointer, 'content', contentType, 'schema'], body))
  if (exchange.status >= 400) violations.push(...codeViolations(exchange.status, body, response))
  return violations
}

/**
 * Checks that the error code is documented: each status may only have the codes of its examples.
 */
function codeViolations(status: number, body: unknown, { content }: Response): string[] {
  const { code } = (body as { error: { code: ErrorCode } }).error
  const documented = Object.keys(content?.['application/json']?.examples ?? {})
  const violations = documented.includes(code) ? [] : [`its code is ${code}, documented is ${documented.join(' or ')}`]
  return errorCodes[code].status === status ? violations : [...violations, `${code} belongs to ${errorCodes[code].status}`]
}

function headerViolations(received: Map<string, string>, names: readonly string[]): string[] {
  const documentedNames = new Map(names.map((name) => [name.toLowerCase(), name]))
  const violations = [...received.keys()]
    .filter((name) => !impliedHeaders.has(name) && !documentedNames.has(name))
    .map((name) => `the header ${name} is not documented`)
  for (const [lowerCase, name] of documentedNames) {
    const header = apiDocument.components.headers[name]
    const value = received.get(lowerCase)
    if (header === undefined) continue
    const schema = ['components', 'headers', name, 'schema']
    const isInteger = 'type' in header.schema && header.schema.type === 'integer'
    if (value !== undefined) violations.push(...schemaViolations(schema, isInteger ? Number(value) : value))
    else if (header.required === true) violations.push(`the header ${name} is missing`)
  }
  return violations
}

/**
 * Returns the reference to the schema for models that the document does not describe individually.
 * Undefined if the operation does not accept such models.
 */
function otherModelsReference(schemaPointer: string[]): string | undefined {
  const { oneOf = [] } = resolve(schemaPointer).value as { oneOf?: { $ref: string }[] }
  return oneOf.map(({ $ref }) => $ref).find(($ref) => $ref.endsWith('/OtherModelRequest'))
}

/** Checks that the document allows a request body that the service accepted. */
function requestViolations({ requestBody, status }: Exchange, operation: Operation, pointer: string[]): string[] {
  if (status >= 300 || requestBody === undefined || operation.requestBody === undefined) return []
  const body = JSON.parse(requestBody) as { model: string }
  const schemaPointer = [...pointer, 'requestBody', 'content', 'application/json', 'schema']
  const { discriminator } = resolve(schemaPointer).value as { discriminator?: { mapping: Record<string, string> } }
  if (discriminator === undefined)
    return schemaViolations(schemaPointer, body).map((violation) => `the request was accepted, though ${violation}`)
  // Compiles only the schema that `model` selects, because compiling all schemas takes a second.
  const chosen = discriminator.mapping[body.model] ?? otherModelsReference(schemaPointer)
  if (chosen === undefined) return [`a request for the model ${body.model} was accepted, which is not documented`]
  return schemaViolations(chosen.split('/').slice(1), body).map((violation) => `the request was accepted, though ${violation}`)
}

function schemaViolations(pointer: readonly string[], value: unknown): string[] {
  const key = `openapi#${encodeURI(pointerOf(pointer))}`
  const validate = validators.get(key) ?? ajv.compile({ $ref: key })
  validators.set(key, validate)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || pointer.at(-2)}: ${message} ${JSON.stringify(params)}`,
  )
}

export interface FoundOperation {
  operation: Operation
  /** Position in the document. */
  pointer: string[]
  /** Path template in the document. */
  path: string
  /** Path of the request. */
  sentPath: string
}

const templates = Object.entries(apiDocument.paths)
  .map(([path, item]) => ({
    path,
    item,
    isAtOrigin: item.servers !== undefined,
    pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // A path without parameters takes precedence: `/tasks/quote` is not a task.
  .toSorted((left, right) => Number(left.path.includes('{')) - Number(right.path.includes('{')))

/** Returns the documented operation of an exchange. Undefined if there is none. */
export function findOperation(exchange: Exchange): FoundOperation | undefined {
  const { baseUrl, method, url } = exchange
  const belowBase = url.startsWith(`${baseUrl}/`) ? documentedPath(url.slice(baseUrl.length), exchange) : undefined
  const pathname = new URL(url).pathname
  const template = templates.find(({ pattern, isAtOrigin }) => pattern.test((isAtOrigin ? pathname : belowBase) ?? ''))
  if (template === undefined) return undefined
  const { path, item } = template
  for (const name of operationNames[method] ?? []) {
    const operation = item[name]
    if (operation !== undefined) {
      return { operation, pointer: ['paths', path, name], path, sentPath: belowBase ?? pathname }
    }
  }
  return undefined
}

/**
 * Maps the path of a request to the path that the document has for it: an import without `/import`
 * and a CSV response without `.csv` are documented under the longer path.
 */
function documentedPath(requestedPath: string, { method, requestHeaders, headers }: Exchange): string {
  const path = requestedPath.split(/[?#]/)[0] ?? ''
  const isJson = requestHeaders.get('content-type')?.startsWith('application/json') === true
  if (path === '/v2/assets' && method === 'POST' && isJson) return '/v2/assets/import'
  const isCsv =
    new Headers([...headers].map(([name, value]) => [name, value])).get('content-type')?.startsWith('text/csv') === true
  return isCsv && !path.endsWith('.csv') ? `${path}.csv` : path
}

/**
 * Documented methods that apply to a method of a request, in order. According to the document, HEAD
 * responds like GET without the body.
 */
const operationNames: Record<string, ('get' | 'head' | 'post' | 'put' | 'patch' | 'delete')[]> = {
  GET: ['get'],
  HEAD: ['head', 'get'],
  POST: ['post'],
  PUT: ['put'],
  PATCH: ['patch'],
  DELETE: ['delete'],
}

/**
 * Returns the value at a position in the document, and its position after following a reference.
 */
export function resolve(pointer: string[]): { pointer: string[]; value: unknown } {
  const target = valueAt(pointer) as { $ref?: string }
  return target.$ref === undefined ? { pointer, value: target } : resolve(target.$ref.split('/').slice(1))
}

export function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function valueAt(pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], apiDocument)
}

/** Returns a copy of a schema in which every object with `properties` disallows unknown fields. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]))
  if ('properties' in copy && !('additionalProperties' in copy)) return { ...copy, additionalProperties: false }
  return copy
}
