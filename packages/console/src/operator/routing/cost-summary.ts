import type { AdminRoute } from '@framegate/contract'
import { credits, texts } from '../../language/language.ts'

/** Describes what the operator pays for a task of a route. */
export function costSummary(cost: AdminRoute['cost']): string {
  const { units } = texts.value.models
  const names: Readonly<Record<string, string>> = { per_second: units.second, per_image: units.image, per_task: units.task }
  const amounts = Object.entries(cost ?? {}).filter(([, amount]) => amount !== 0)
  const parts = amounts.map(([name, amount]) => `${credits(amount)} ${names[name] ?? name.replaceAll('_', ' ')}`)
  return parts.length === 0 ? '—' : parts.join(', ')
}
