import type { ApiKey, KeyScope } from '@framegate/contract'
import { texts } from '../language/language.ts'
import type { FormField } from '../parts/form-field.tsx'
import { localTime, type FormValues } from '../parts/form-values.ts'

const scopes: readonly KeyScope[] = ['tasks:write', 'tasks:read', 'webhooks:write', 'admin']

/** Returns the form fields of a key, for its creation and for later changes. */
export function keyFields(): readonly FormField[] {
  const t = texts.value.keys
  return [
    { name: 'name', label: t.name, kind: 'text' },
    { name: 'scopes', label: t.scopes, kind: 'choices', choices: scopes.map((scope) => [scope, t.scopeNames[scope]] as const) },
    { name: 'spent_per_day_max', label: t.spentPerDay, kind: 'number', hint: t.emptyUnlimited },
    { name: 'spent_per_month_max', label: t.spentPerMonth, kind: 'number' },
    { name: 'requests_per_second_max', label: t.requestsPerSecond, kind: 'number' },
    { name: 'tasks_in_flight_max', label: t.tasksInFlight, kind: 'number' },
    { name: 'models', label: t.models, kind: 'json', hint: t.modelsHint },
    { name: 'expires_at', label: t.expires, kind: 'dateTime' },
  ]
}

export const newKeyValues: FormValues = { scopes: ['tasks:write', 'tasks:read'] }

export function valuesOfKey(key: ApiKey): FormValues {
  return {
    ...key,
    expires_at: localTime(key.expires_at),
    models: key.models === null ? '' : JSON.stringify(key.models),
  }
}
