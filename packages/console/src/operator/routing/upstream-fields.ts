import type { AdminUpstream } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import type { FormField } from '../../parts/form-field.tsx'
import type { FormValues } from '../../parts/form-values.ts'

const drivers = [
  'openai',
  'ark',
  'veo',
  'dashscope',
  'kling',
  'minimax',
  'vidu',
  'xai',
  'replicate',
  'fal',
  'comfyui',
  'framegate',
] as const

export function upstreamFields(isNew: boolean): readonly FormField[] {
  const t = texts.value.routing
  return [
    ...(isNew ? [{ name: 'name', label: t.name, kind: 'text' as const, isRequired: true, placeholder: 'fal-main' }] : []),
    { name: 'driver', label: t.driver, kind: 'choice', choices: [['', '—'], ...drivers.map((name) => [name, name] as const)] },
    { name: 'base_url', label: t.address, kind: 'url', placeholder: 'https://', hint: t.addressHint },
    { name: 'schema_url', label: t.schemaAddress, kind: 'url', placeholder: 'https://', hint: t.schemaAddressHint },
    { name: 'api_key', label: t.apiKey, kind: 'password', hint: isNew ? t.apiKeyHint : t.apiKeyKept },
    { name: 'in_flight_max', label: t.inFlightMax, kind: 'number' },
    { name: 'polls_per_second', label: t.pollsPerSecond, kind: 'number' },
  ]
}

/**
 * Returns the values of the form. The key is omitted, because a request without a key keeps the
 * stored one.
 */
export function valuesOfUpstream({ driver, base_url, schema_url, in_flight_max, polls_per_second }: AdminUpstream): FormValues {
  return { driver, base_url, schema_url, in_flight_max, polls_per_second }
}
