import { isDeepStrictEqual } from 'node:util'
import { routingNamePattern, systemPromptCharactersMax } from '@framegate/contract'
import { Secret } from '../config/secret.ts'
import type { Json } from '../drivers/driver.ts'
import type { ParameterRefusal, UpstreamDriver, UpstreamRequest, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import { refuseRequest } from '../drivers/upstream/refuse-request.ts'
import { isObject } from '../lib/is-object.ts'
import { withoutByteOrderMark } from '../lib/without-byte-order-mark.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { embeddedName, everyModel, type RouteDefinition, type Routing, type UpstreamDefinition } from './definitions.ts'
import { defaultPollsPerSecond } from './poll-rate-limiter.ts'
import type { FieldViolation, FieldPath } from '../lib/field-violation.ts'
import { Fields } from '../lib/read-fields.ts'
import { readRouteInput } from './read-route-input.ts'

const upstreamFields = ['driver', 'base_url', 'schema_url', 'api_key', 'api_key_file', 'in_flight_max', 'polls_per_second']
const routeFields = [
  'name',
  'model',
  'upstream',
  'upstream_model',
  'priority',
  'weight',
  'cost',
  'in_flight_max',
  'defer_max',
  'deadline',
  'parameters',
  'extra',
  'workflow',
  'slots',
  'input',
  'system_prompt',
]
const costFields = [
  'per_second',
  'per_image',
  'per_task',
  'per_unit',
  'per_million_input_tokens',
  'per_million_cached_input_tokens',
  'per_million_output_tokens',
]

const inFlightUpperBound = 100_000
const defaultInFlightMax = 1_000
const defaultDeferSeconds = 30
const deadlineSecondsUpperBound = 24 * 60 * 60

/**
 * The `upstreams` and `routes` sections. In sections that were read from a file, scalars are
 * strings, except within a route's `extra`, `input` and `workflow`.
 */
export interface RawRouting {
  upstreams: unknown
  routes: unknown
}

/**
 * Returns the reason why a route cannot serve any request for a model. The reason completes a
 * sentence that begins with the name of a field. Returns null if the route can serve at least one
 * request.
 */
export type FindUnusableReason = (model: string, route: RouteCapability) => string | null

interface RouteCapability {
  refuse: (request: UpstreamRequest) => ParameterRefusal | null
  /** Whether the driver of the route forwards requests for token models. */
  forwards: boolean
}

export interface ReadRoutingOptions {
  drivers: readonly UpstreamDriver[]
  /** All Model IDs. */
  modelIds: ReadonlySet<string>
  /** Names of upstreams that exist but cannot be used. Default: none. */
  disabledUpstreams?: readonly string[]
  findUnusableReason: FindUnusableReason
  /**
   * Returns whether the embedded driver cannot serve a model. Default: the embedded driver serves
   * every model.
   */
  needsUpstream?: (model: string) => boolean
  /**
   * Reads a file that an entry names. If that fails, throws an error whose message completes a
   * sentence such as `api_key_file …`.
   */
  readFile: (path: string) => string
  /**
   * Returns the name of the route at `index` for the message about a violation of the route at
   * `violatingIndex`. Default: a name such as `routes[1]`.
   */
  describeRoute?: (index: number, violatingIndex: number) => string
}

export interface RoutingResult {
  /** All entries without a violation. */
  routing: Routing
  /** The routes in the given order. An invalid route is undefined. */
  routesInOrder: readonly (RouteDefinition | undefined)[]
  violations: FieldViolation[]
}

/**
 * Reads the upstreams and routes that the operator has configured, and reports every violation in
 * them. In a route to an invalid or disabled upstream, only the fields that do not depend on the
 * driver are checked.
 */
export function readRouting(raw: RawRouting, options: ReadRoutingOptions): RoutingResult {
  const violations: FieldViolation[] = []
  const upstreams = readUpstreams(raw.upstreams, options, violations)
  const routesInOrder = readRoutes(raw.routes, upstreams, options, violations)
  const routes = routesInOrder.filter((route) => route !== undefined)
  const usableUpstreams = [...upstreams.values()].filter((upstream) => upstream !== undefined)
  return { routing: { upstreams: usableUpstreams, routes }, routesInOrder, violations }
}

/**
 * Reads the upstreams, by name. An invalid or disabled upstream is undefined, so that a route to it
 * does not cause a second violation.
 */
function readUpstreams(
  raw: unknown,
  options: ReadRoutingOptions,
  violations: FieldViolation[],
): Map<string, UpstreamDefinition | undefined> {
  const upstreams = new Map<string, UpstreamDefinition | undefined>(options.disabledUpstreams?.map((name) => [name, undefined]))
  if (raw === undefined || raw === null || raw === '') return upstreams
  if (!isObject(raw)) {
    violations.push({ path: ['upstreams'], message: 'must be a map of upstreams by name' })
    return upstreams
  }
  for (const [name, entry] of Object.entries(raw)) {
    const upstream = readUpstream(name, entry, ['upstreams', name], options, violations)
    upstreams.set(name, upstream)
  }
  return upstreams
}

const namePattern = new RegExp(routingNamePattern)
export const entryNameRule = 'must have a name of letters, digits, - and _, at most 63'

export function isEntryName(name: string): boolean {
  return namePattern.test(name)
}

function readUpstream(
  name: string,
  entry: unknown,
  path: FieldPath,
  { drivers, readFile }: ReadRoutingOptions,
  violations: FieldViolation[],
): UpstreamDefinition | undefined {
  const violationsBefore = violations.length
  const report = (message: string): void => void violations.push({ path, message })
  if (!isEntryName(name)) report(entryNameRule)
  if (name === embeddedName) report('always exists and needs no entry; remove it')
  if (!isObject(entry)) {
    report('must have a driver')
    return undefined
  }
  const fields = new Fields(entry, path, violations)
  fields.requireOnly(upstreamFields, 'an upstream')
  const driver = findDriver(fields, drivers)
  const limits = readLimits(fields)
  if (driver === undefined) return undefined
  const baseUrl = readBaseUrl(fields, driver)
  const schemaUrl = readSchemaUrl(fields)
  const credential = readCredential(fields, entry, driver, readFile)
  return violations.length > violationsBefore
    ? undefined
    : { name, driver, baseUrl, ...(schemaUrl !== null && { schemaUrl }), credential, ...limits }
}

export function readLimits(fields: Fields): Pick<UpstreamDefinition, 'inFlightMax' | 'pollsPerSecondMax'> {
  return {
    inFlightMax: fields.readNumber('in_flight_max', { min: 1, max: inFlightUpperBound }) ?? defaultInFlightMax,
    pollsPerSecondMax:
      fields.readNumber('polls_per_second', { min: 0.1, max: 10_000, isInteger: false }) ?? defaultPollsPerSecond,
  }
}

function findDriver(fields: Fields, drivers: readonly UpstreamDriver[]): UpstreamDriver | undefined {
  const name = fields.readText('driver')
  const names = drivers.map((driver) => driver.name)
  const driver = drivers.find((candidate) => candidate.name === name)
  if (driver !== undefined) return driver
  const suggestion = name === undefined ? undefined : nearestName(name, names, 3)
  fields.addViolation(
    'driver',
    `must be one of ${names.join(', ')}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
  )
  return undefined
}

function readBaseUrl(fields: Fields, { defaultBaseUrl }: UpstreamDriver): string {
  const baseUrl = fields.readText('base_url') ?? defaultBaseUrl
  if (baseUrl !== null && isAddress(baseUrl)) return withoutTrailingSlashes(baseUrl)
  fields.addViolation('base_url', 'must be an http or https address without a query, such as https://api.example.com/v1')
  return ''
}

/** Returns null if the operator has set no schema URL. */
function readSchemaUrl(fields: Fields): string | null {
  const schemaUrl = fields.readText('schema_url')
  if (schemaUrl === undefined) return null
  if (isAddress(schemaUrl)) return withoutTrailingSlashes(schemaUrl)
  fields.addViolation('schema_url', 'must be an http or https address without a query, such as https://api.example.com/v1')
  return null
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text)
}

function withoutTrailingSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

function readCredential(
  fields: Fields,
  entry: Record<string, unknown>,
  { credential }: UpstreamDriver,
  readFile: ReadRoutingOptions['readFile'],
): Secret | null {
  const keyFile = fields.readText('api_key_file')
  let key = fields.readText('api_key') ?? ''
  if (keyFile !== undefined) {
    if (key !== '') fields.addViolation('api_key_file', 'cannot be combined with api_key; remove one of them')
    try {
      key = readFile(keyFile).trim()
    } catch (error) {
      fields.addViolation('api_key_file', (error as Error).message)
      return null
    }
  }
  // A key that is present but empty usually comes from an empty environment variable, so it is a
  // violation.
  if (key === '' && !credential.isRequired && !('api_key' in entry) && keyFile === undefined) return null
  const isValid = key !== '' && (credential.isValid?.(key) ?? true)
  if (!isValid) fields.addViolation(keyFile === undefined ? 'api_key' : 'api_key_file', `must be ${credential.format}`)
  return new Secret(key)
}

function readRoutes(
  raw: unknown,
  upstreams: ReadonlyMap<string, UpstreamDefinition | undefined>,
  options: ReadRoutingOptions,
  violations: FieldViolation[],
): (RouteDefinition | undefined)[] {
  if (raw === undefined || raw === null || raw === '') return []
  if (!Array.isArray(raw)) {
    violations.push({ path: ['routes'], message: 'must be a list of routes, each with a model and an upstream' })
    return []
  }
  const routes = raw.map((entry: unknown, index) => readRoute(entry, ['routes', index], upstreams, options, violations))
  return routes.map((route, index) => {
    const firstIndex =
      route === undefined ? index : routes.findIndex((candidate) => candidate !== undefined && hasSameTarget(candidate, route))
    if (firstIndex === index) return route
    const firstDescription = options.describeRoute?.(firstIndex, index) ?? `routes[${firstIndex}]`
    violations.push({
      path: ['routes', index],
      message: `has the same model, upstream and upstream model as ${firstDescription}; remove one of them`,
    })
    return undefined
  })
}

/**
 * Whether both routes serve the same model by the same target at the same upstream. The embedded
 * driver has one target for each model.
 */
function hasSameTarget(first: RouteDefinition, second: RouteDefinition): boolean {
  if (first.model !== second.model || first.upstream !== second.upstream) return false
  return first.upstream === null || isDeepStrictEqual(first.target, second.target)
}

function readRoute(
  entry: unknown,
  path: FieldPath,
  upstreams: ReadonlyMap<string, UpstreamDefinition | undefined>,
  options: ReadRoutingOptions,
  violations: FieldViolation[],
): RouteDefinition | undefined {
  const violationsBefore = violations.length
  if (!isObject(entry)) {
    violations.push({ path, message: 'must have a model and an upstream' })
    return undefined
  }
  const fields = new Fields(entry, path, violations)
  fields.requireOnly(routeFields, 'a route')
  const model = fields.readText('model') ?? ''
  if (model !== everyModel && !options.modelIds.has(model))
    fields.addViolation('model', unknownModelMessage(model, options.modelIds))
  const upstreamName = fields.readText('upstream') ?? ''
  const allocationSettings = readAllocationSettings(fields)
  const cost = readCost(fields, path, violations)
  // An invalid or disabled upstream has its own violation, so the route gets none. With `upstream`
  // null, the route would use the embedded driver.
  if (upstreams.has(upstreamName) && upstreams.get(upstreamName) === undefined) return undefined
  const upstream = upstreams.get(upstreamName) ?? null
  if (upstreamName !== embeddedName && !upstreams.has(upstreamName))
    fields.addViolation('upstream', unknownUpstreamMessage(upstreamName, upstreams))
  if (upstreamName === embeddedName && options.needsUpstream?.(model) === true)
    fields.addViolation('upstream', `must be a provider, because the embedded driver cannot serve ${model}`)
  const route: RouteDefinition = {
    name: fields.readText('name') ?? upstreamName,
    model,
    upstream,
    target: readTarget(fields, upstream, options),
    ...allocationSettings,
    cost,
  }
  if (upstream !== null && violations.length === violationsBefore) {
    violations.push(...(upstream.driver.findRouteViolations?.(route.target) ?? []).map((message) => violationIn(message, path)))
    if (violations.length === violationsBefore) {
      const { driver } = upstream
      const refuse = (request: UpstreamRequest): ParameterRefusal | null => refuseRequest(driver, request, route.target)
      const reason = options.findUnusableReason(model, { refuse, forwards: driver.forwards === true })
      if (reason !== null) violations.push({ path: [...path, 'upstream_model'], message: reason })
    }
  }
  // The embedded driver serves no token models, so it does not forward requests.
  const embeddedCapability = { refuse: () => null, forwards: false }
  const unusableReason =
    upstream === null && violations.length === violationsBefore ? options.findUnusableReason(model, embeddedCapability) : null
  if (unusableReason !== null) violations.push({ path: [...path, 'upstream'], message: unusableReason })
  return violations.length > violationsBefore ? undefined : route
}

/**
 * Creates a violation from a sentence that begins with the name of its field, such as `extra.seed
 * must be left out`.
 */
function violationIn(message: string, path: FieldPath): FieldViolation {
  const nameEnd = message.indexOf(' ')
  return { path: [...path, ...message.slice(0, nameEnd).split('.')], message: message.slice(nameEnd + 1) }
}

type AllocationSettings = Pick<RouteDefinition, 'priority' | 'weight' | 'inFlightMax' | 'deferMaxMs' | 'deadlineMs'>

export function readAllocationSettings(fields: Fields): AllocationSettings {
  return {
    priority: fields.readNumber('priority', { min: -1_000_000, max: 1_000_000 }) ?? 0,
    weight: fields.readNumber('weight', { min: 0.001, max: 1_000_000, isInteger: false }) ?? 1,
    inFlightMax: fields.readNumber('in_flight_max', { min: 1, max: inFlightUpperBound }) ?? Infinity,
    deferMaxMs: 1000 * (fields.readNumber('defer_max', { min: 0, max: deadlineSecondsUpperBound }) ?? defaultDeferSeconds),
    deadlineMs: toMsOrNull(fields.readNumber('deadline', { min: 1, max: deadlineSecondsUpperBound })),
  }
}

function readTarget(fields: Fields, upstream: UpstreamDefinition | null, { readFile }: ReadRoutingOptions): UpstreamTarget {
  const model = fields.readText('upstream_model') ?? ''
  if (upstream !== null && model === '' && upstream.driver.name !== 'comfyui') {
    fields.addViolation('upstream_model', "must be the model's name at the upstream")
  }
  return {
    baseUrl: upstream?.baseUrl ?? '',
    model,
    parameters: fields.readTexts('parameters'),
    extra: fields.readObject('extra') as UpstreamTarget['extra'],
    workflow: readWorkflow(fields, readFile),
    slots: fields.readTexts('slots'),
    // A setting that the operator left out is absent here, so that the digest of the snapshot stays
    // the same as in earlier versions.
    ...readInput(fields, upstream),
    ...readSystemPrompt(fields, upstream),
  }
}

function readSystemPrompt(fields: Fields, upstream: UpstreamDefinition | null): Pick<UpstreamTarget, 'systemPrompt'> {
  const systemPrompt = fields.readText('system_prompt')
  if (systemPrompt === undefined) return {}
  if (upstream?.driver.takesSystemPrompt !== true)
    fields.addViolation('system_prompt', 'must be left out: only routes to a language model have one')
  if (systemPrompt.length > systemPromptCharactersMax)
    fields.addViolation('system_prompt', `must have at most ${systemPromptCharactersMax} characters`)
  return { systemPrompt }
}

function readInput(fields: Fields, upstream: UpstreamDefinition | null): Pick<UpstreamTarget, 'input'> {
  const input = fields.readObject('input')
  if (Object.keys(input).length === 0) return {}
  if (upstream !== null && upstream.driver.takesRouteInput !== true) {
    fields.addViolation('input', `must be left out with the driver ${upstream.driver.name}`)
  }
  const routeInput = readRouteInput(input)
  if (typeof routeInput !== 'string') return { input: routeInput }
  fields.addViolation('input', routeInput)
  return {}
}

function readWorkflow(fields: Fields, readFile: ReadRoutingOptions['readFile']): Json | null {
  const inlineOrFile = fields.readObjectOrText('workflow')
  if (typeof inlineOrFile === 'object') return inlineOrFile as Json
  const file = inlineOrFile
  if (file === undefined) return null
  try {
    return JSON.parse(withoutByteOrderMark(readFile(file))) as Json
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'must be a JSON file in the API format' : (error as Error).message
    fields.addViolation('workflow', reason)
    return null
  }
}

export function readCost(fields: Fields, path: FieldPath, violations: FieldViolation[]): RouteDefinition['cost'] {
  const rawCost = fields.readObject('cost')
  const costs = new Fields(rawCost, [...path, 'cost'], violations)
  costs.requireOnly(costFields, 'a cost')
  const cost = (name: string): number => costs.readNumber(name, { min: 0, max: 1_000_000, isInteger: false }) ?? 0
  const input = cost('per_million_input_tokens')
  const cachedInputField = 'per_million_cached_input_tokens'
  const output = cost('per_million_output_tokens')
  const cachedInput = rawCost[cachedInputField] === undefined ? input : cost(cachedInputField)
  // Without token costs, `tokens` is absent, so that the digest of the snapshot stays the same as
  // in earlier versions.
  const tokens = input > 0 || cachedInput > 0 || output > 0 ? { input, cachedInput, output } : null
  const routeCost = {
    perSecond: cost('per_second'),
    perImage: cost('per_image'),
    perTask: cost('per_task'),
    perUnit: cost('per_unit'),
    ...(tokens && { tokens }),
  }
  return Object.keys(rawCost).length === 0 ? null : routeCost
}

function unknownModelMessage(model: string, modelIds: ReadonlySet<string>): string {
  const suggestion = nearestName(model, [...modelIds], 3)
  return `must be a Model ID, or "*" for every model; there is no model ${JSON.stringify(model)}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
}

function unknownUpstreamMessage(name: string, upstreams: ReadonlyMap<string, UpstreamDefinition | undefined>): string {
  const names = [...upstreams.keys(), embeddedName]
  const suggestion = nearestName(name, names, 3)
  return `must be one of ${names.join(', ')}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
}

function toMsOrNull(seconds: number | undefined): number | null {
  return seconds === undefined ? null : seconds * 1000
}
