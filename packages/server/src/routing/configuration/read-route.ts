import type { ParameterRefusal, UpstreamRequest } from '../../drivers/upstream/upstream-driver.ts'
import { refuseRequest } from '../../drivers/upstream/refuse-request.ts'
import { isObject } from '../../lib/is-object.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { embeddedName, everyModel, type RouteDefinition, type UpstreamDefinition } from './definitions.ts'
import type { FieldViolation, FieldPath } from '../../lib/field-violation.ts'
import { Fields } from '../../lib/read-fields.ts'
import { inFlightUpperBound } from './read-upstream.ts'
import type { ReadRoutingOptions } from './read-routing-options.ts'
import { readTarget } from './read-target.ts'
import { readCost } from './read-cost.ts'

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

const defaultDeferSeconds = 30
const deadlineSecondsUpperBound = 24 * 60 * 60

/**
 * Reads a route. Returns undefined if it has a violation, or if its upstream is invalid or
 * disabled.
 */
export function readRoute(
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
  if (violations.length === violationsBefore) violations.push(...unusableViolations(route, path, options))
  return violations.length > violationsBefore ? undefined : route
}

/**
 * Returns the reasons why the driver rejects the route, or the reason why the route can serve no
 * request.
 */
function unusableViolations(
  { model, upstream, target }: RouteDefinition,
  path: FieldPath,
  { findUnusableReason }: ReadRoutingOptions,
): FieldViolation[] {
  if (upstream === null) {
    // The embedded driver serves no token models, so it does not forward requests.
    const reason = findUnusableReason(model, { refuse: () => null, forwards: false })
    return reason === null ? [] : [{ path: [...path, 'upstream'], message: reason }]
  }
  const { driver } = upstream
  const messages = driver.findRouteViolations?.(target) ?? []
  if (messages.length > 0) return messages.map((message) => violationIn(message, path))
  const refuse = (request: UpstreamRequest): ParameterRefusal | null => refuseRequest(driver, request, target)
  const reason = findUnusableReason(model, { refuse, forwards: driver.forwards === true })
  return reason === null ? [] : [{ path: [...path, 'upstream_model'], message: reason }]
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
