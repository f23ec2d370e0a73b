import type { AdminRoute } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import type { FormField } from '../../parts/form-field.tsx'
import type { FormValues } from '../../parts/form-values.ts'

/** Upstream name of a route whose tasks the embedded driver of the service runs. */
const embedded = 'embedded'

/** Returns the form fields of a route. `upstreams` are the names from which the user chooses. */
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

/** Returns a request body with all settings of a route. */
export function bodyOfRoute(route: AdminRoute): FormValues {
  const { model, upstream, upstream_model, priority, weight, in_flight_max, defer_max, deadline, cost } = route
  const { parameters, extra, workflow, slots, input, system_prompt } = route
  const optionalSettings = {
    upstream_model,
    in_flight_max,
    deadline,
    cost,
    workflow,
    input,
    system_prompt,
    parameters,
    extra,
    slots,
  }
  const presentSettings = Object.entries(optionalSettings).filter(
    ([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0),
  )
  return { model, upstream, priority, weight, defer_max, ...Object.fromEntries(presentSettings) }
}

/**
 * Returns the settings that are not in the form. A change sends them too, because it replaces all
 * settings.
 */
export function settingsOutsideForm(route: AdminRoute): FormValues {
  const shownNames = new Set(routeFields([], false).map(({ name }) => name))
  return Object.fromEntries(Object.entries(bodyOfRoute(route)).filter(([name]) => !shownNames.has(name)))
}

/**
 * Returns the question to ask before a change of the fields that determine where new tasks run.
 * Null: no question is needed.
 */
export function routeQuestion(route: AdminRoute | null, body: FormValues): string | null {
  const { model, upstream } = body
  if (typeof model !== 'string' || typeof upstream !== 'string' || upstream === embedded) return null
  const initialValues: FormValues = route === null ? {} : bodyOfRoute(route)
  const defaults: FormValues = { priority: 0, weight: 1 }
  const routingFields = ['model', 'upstream', 'upstream_model', 'priority', 'weight']
  if (routingFields.every((name) => initialValues[name] === (body[name] ?? defaults[name]))) return null
  return texts.value.routing.setRouteQuestion(model, upstream)
}
