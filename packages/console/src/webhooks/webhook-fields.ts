import { texts } from '../language/language.ts'
import type { FormField } from '../parts/form-field.tsx'

const eventTypes = ['task.completed', 'task.failed', 'task.processing', 'credits.low'] as const

export function webhookFields(): readonly FormField[] {
  const t = texts.value.webhooks
  return [
    { name: 'url', label: t.url, kind: 'url', isRequired: true, placeholder: 'https://' },
    { name: 'description', label: t.description, kind: 'text' },
    { name: 'events', label: t.events, kind: 'choices', choices: eventTypes.map((type) => [type, type] as const) },
    { name: 'rate_limit', label: t.rateLimit, kind: 'number', hint: t.rateLimitHint },
  ]
}
