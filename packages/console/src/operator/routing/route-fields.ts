import type { AdminRoute } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import type { FormField } from '../../parts/form-field.tsx'
import type { FormValues } from '../../parts/form-values.ts'

/** Stands for the service itself in place of an upstream. */
const embedded = 'embedded'

export function routeFields(upstreams: readonly string[], isNew: boolean): readonly FormField[] {
  const t = texts.value.routing
  return [
    ...(isNew ? [{ name: 'name', label: t.name, kind: 'text' as const, isRequired: true }] : []),
    { name: 'model', label: t.model, kind: 'text', isRequired: true, hint: t.modelHint },
    {
      name: 'upstream',
      label: t.upstream,
      kind: 'choice',
      choices: [['', '—'], [embedded, t.embedded], ...upstreams.map((name) => [name, name] as const)],
    },
    { name: 'upstream_model', label: t.upstreamModel, kind: 'text' },
    { name: 'priority', label: t.priority, kind: 'number', hint: t.priorityHint },
    { name: 'weight', label: t.weight, kind: 'number' },
    { name: 'in_flight_max', label: t.inFlightMax, kind: 'number' },
    { name: 'cost', label: t.cost, kind: 'json', hint: t.costHint },
  ]
}

export function valuesOfRoute(route: AdminRoute): FormValues {
  return { ...bodyOfRoute(route), cost: route.cost === null ? '' : JSON.stringify(route.cost) }
}

/** Returns the body that sets a route to its current settings. */
export function bodyOfRoute(route: AdminRoute): FormValues {
  const { model, upstream, upstream_model, priority, weight, in_flight_max, defer_max, deadline, cost } = route
  const { parameters, extra, workflow, slots, input, system_prompt } = route
  const optional = { upstream_model, in_flight_max, deadline, cost, workflow, input, system_prompt, parameters, extra, slots }
  const present = Object.entries(optional).filter(
    ([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0),
  )
  return { model, upstream, priority, weight, defer_max, ...Object.fromEntries(present) }
}

/** Returns the settings that the form does not show. A change repeats them, because it replaces the whole route. */
export function unshownSettings(route: AdminRoute): FormValues {
  const shownNames = new Set(routeFields([], false).map(({ name }) => name))
  return Object.fromEntries(Object.entries(bodyOfRoute(route)).filter(([name]) => !shownNames.has(name)))
}

/** Asks before tasks can take a route to a provider that they did not take before. */
export function routeQuestion(route: AdminRoute | null, body: FormValues): string | null {
  const { model, upstream } = body
  if (typeof model !== 'string' || typeof upstream !== 'string' || upstream === embedded) return null
  const initialValues: FormValues = route === null ? {} : bodyOfRoute(route)
  const defaults: FormValues = { priority: 0, weight: 1 }
  const decidingFields = ['model', 'upstream', 'upstream_model', 'priority', 'weight']
  if (decidingFields.every((name) => initialValues[name] === (body[name] ?? defaults[name]))) return null
  return texts.value.routing.setRouteQuestion(model, upstream)
}
