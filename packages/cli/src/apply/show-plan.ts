import { timeText } from '../terminal/time.ts'
import { plainText } from '../terminal/write.ts'
import type { FieldChange, Step } from './step.ts'

const signs = { create: '+', change: '~', remove: '-' } as const
const timeFields = new Set(['expires_at'])

/** Formats the plan for the terminal: each change with its fields. */
export function planText(steps: readonly Step[]): string {
  return steps.flatMap((step) => [stepText(step), ...step.fields.map((field) => `    ${fieldText(field)}`)]).join('\n')
}

/** Formats one step, such as `~ change brand "Framegate"`. */
export function stepText({ action, kind, name }: Step): string {
  return plainText(`${signs[action]} ${action} ${kind} ${name}`)
}

export function countText(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`
}

function fieldText({ field, before, after }: FieldChange): string {
  const value = valueText(field, after)
  return plainText(before === undefined ? `${field}: ${value}` : `${field}: ${valueText(field, before)} -> ${value}`)
}

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'number' && timeFields.has(field)) return timeText(value) ?? 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
