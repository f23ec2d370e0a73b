import type { AdminRoute, AdminUpstream, RouteExplanation as RouteExplanationView } from '@framegate/contract'
import type { EffectiveModel } from '../catalogue/effective/effective-model.ts'
import type { ParsedParameters } from '../catalogue/model.ts'
import { capitalize } from '../lib/capitalized.ts'
import { toSentence, sentenceOf } from '../lib/field-violation.ts'
import { Fields } from '../lib/read-fields.ts'
import { embeddedName, everyModel } from '../routing/configuration/definitions.ts'
import type { ExplainedRoute, RouteExplanation } from '../routing/explain.ts'
import type { RouteEntry, UpstreamEntry } from '../routing/configuration/merge-routing.ts'
import { readCost } from '../routing/configuration/read-cost.ts'
import { readAllocationSettings } from '../routing/configuration/read-route.ts'
import { readLimits } from '../routing/configuration/read-upstream.ts'
import type { Route, Upstream } from '../routing/route.ts'
import type { CircuitState } from '../routing/slots.ts'

const unusedCircuit: CircuitState = { circuit: 'closed', nextTrialAtMs: null, failingSinceMs: null, lastError: null }

/**
 * Converts an upstream to its view in the operator API, with default values for omitted fields. The
 * view never contains the API key.
 */
export function upstreamView(entry: UpstreamEntry, activeUpstream: Upstream | undefined, nowMs: number): AdminUpstream {
  const { name, source, raw, definition, violations, hasCredential } = entry
  const fields = new Fields(raw, [], [])
  const { inFlightMax, pollsPerSecondMax } = readLimits(fields)
  return {
    object: 'upstream',
    name,
    driver: fields.readText('driver') ?? '',
    base_url: definition?.baseUrl ?? fields.readText('base_url') ?? null,
    schema_url: definition?.schemaUrl ?? fields.readText('schema_url') ?? null,
    has_api_key: hasCredential,
    in_flight_max: inFlightMax,
    polls_per_second: pollsPerSecondMax,
    source,
    fault: violationText(violations),
    in_flight: activeUpstream?.slots.state.inFlight ?? 0,
    ...circuitView(activeUpstream === undefined ? unusedCircuit : activeUpstream.slots.circuitAt(nowMs)),
  }
}

export function embeddedUpstreamView({ settings: { upstream } }: Route): AdminUpstream {
  return {
    object: 'upstream',
    name: embeddedName,
    driver: embeddedName,
    base_url: null,
    schema_url: null,
    has_api_key: false,
    in_flight_max: upstream.slots.inFlightMax,
    polls_per_second: 0,
    source: 'built_in',
    fault: null,
    in_flight: upstream.slots.state.inFlight,
    ...circuitView(unusedCircuit),
  }
}

export function routeView(
  { name, source, raw, violations }: RouteEntry,
  activeRoute: Route | undefined,
  nowMs: number,
): AdminRoute {
  const fields = new Fields(raw, [], [])
  const allocation = readAllocationSettings(fields)
  const cost = readCost(fields, [], [])
  return {
    object: 'route',
    name,
    model: fields.readText('model') ?? '',
    upstream: fields.readText('upstream') ?? '',
    upstream_model: fields.readText('upstream_model') ?? null,
    priority: allocation.priority,
    weight: allocation.weight,
    in_flight_max: allocation.inFlightMax === Infinity ? null : allocation.inFlightMax,
    defer_max: allocation.deferMaxMs / 1000,
    deadline: allocation.deadlineMs === null ? null : allocation.deadlineMs / 1000,
    cost: cost && {
      per_second: cost.perSecond,
      per_image: cost.perImage,
      per_task: cost.perTask,
      per_unit: cost.perUnit,
      ...(cost.tokens && {
        per_million_input_tokens: cost.tokens.input,
        per_million_cached_input_tokens: cost.tokens.cachedInput,
        per_million_output_tokens: cost.tokens.output,
      }),
    },
    parameters: fields.readTexts('parameters'),
    extra: fields.readObject('extra'),
    workflow: fields.readObjectOrText('workflow') ?? null,
    slots: fields.readTexts('slots'),
    input: 'input' in raw ? fields.readObject('input') : null,
    system_prompt: fields.readText('system_prompt') ?? null,
    source,
    fault: violationText(violations),
    ...stateView(activeRoute, nowMs),
  }
}

/** View of the built-in embedded route. It is listed unless another route serves all models. */
export function embeddedRouteView(embedded: Route, nowMs: number): AdminRoute {
  const raw = { model: everyModel, upstream: embeddedName, in_flight_max: embedded.slots.inFlightMax }
  const entry: RouteEntry = { name: embeddedName, source: 'file', raw, definition: undefined, violations: [] }
  return { ...routeView(entry, embedded, nowMs), source: 'built_in' }
}

export function routeExplanationView(
  { definition, narrowed, isServed }: EffectiveModel,
  parameters: ParsedParameters,
  explanation: RouteExplanation,
): RouteExplanationView {
  return {
    object: 'route_explanation',
    model: definition.id,
    parameters: { ...parameters },
    outcome: isServed ? explanation.outcome : 'no_route',
    reason: reasonOf(explanation),
    routes: explanation.routes.map(explainedRouteView),
    narrowed: narrowed.map(({ parameter, message, routes }) => ({
      parameter,
      message,
      routes: routes.map(({ route, serves }) => ({ route, serves })),
    })),
  }
}

function explainedRouteView({ route, refusal, ...explained }: ExplainedRoute): RouteExplanationView['routes'][number] {
  const { slots, settings, name, inFlight } = route
  const { upstream, priority, weight } = settings
  return {
    route: name,
    upstream: upstream.name,
    priority,
    weight,
    can_serve: refusal === null,
    refusal: refusal && { parameter: refusal.parameter, message: toSentence(refusal.message) },
    in_flight: inFlight,
    in_flight_max: slots.inFlightMax === Infinity ? null : slots.inFlightMax,
    upstream_in_flight: upstream.slots.state.inFlight,
    upstream_in_flight_max: upstream.slots.inFlightMax,
    free_slots: explained.freeSlots,
    condition: explained.condition,
    condition_of: explained.conditionOf,
    paused_until: toSecondsOrNull(explained.pausedUntilMs),
    chosen: explained.isChosen,
  }
}

const obstacleTexts = {
  free_slot: 'All routes that can serve the request are at capacity.',
  provider_throttled: 'The provider asked the service to retry later.',
  provider_unavailable: 'No route that can serve the request is in service at the moment.',
} as const

function reasonOf({ outcome, refusal, obstacle, isDeferred }: RouteExplanation): string | null {
  if (refusal !== null) return toSentence(refusal.message)
  if (outcome === 'no_route') return 'All routes that can serve the request are out of service.'
  if (obstacle === null) return null
  return isDeferred
    ? `${obstacleTexts[obstacle]} A free route with a higher priority number is used after defer_max.`
    : obstacleTexts[obstacle]
}

type CircuitView = Pick<AdminRoute, 'circuit' | 'tried_again_at' | 'failing_since' | 'last_error'>
type StateView = CircuitView & Pick<AdminRoute, 'in_flight' | 'busy' | 'busy_until'>

function stateView(activeRoute: Route | undefined, nowMs: number): StateView {
  if (activeRoute === undefined) return { in_flight: 0, ...circuitView(unusedCircuit), busy: false, busy_until: null }
  const { inFlight, isBusy, busyUntilMs, ...circuit } = activeRoute.stateAt(nowMs)
  return { in_flight: inFlight, ...circuitView(circuit), busy: isBusy, busy_until: toSecondsOrNull(busyUntilMs) }
}

function circuitView({ circuit, nextTrialAtMs, failingSinceMs, lastError }: CircuitState): CircuitView {
  return {
    circuit,
    tried_again_at: toSecondsOrNull(nextTrialAtMs),
    failing_since: failingSinceMs === null ? null : Math.floor(failingSinceMs / 1000),
    last_error: lastError === null ? null : toSentence(capitalize(lastError)),
  }
}

function violationText(violations: RouteEntry['violations']): string | null {
  return violations.length === 0 ? null : violations.map(sentenceOf).join(' ')
}

function toSecondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.ceil(milliseconds / 1000)
}
