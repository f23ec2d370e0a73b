import type { Availability, ModelDefinition } from './model.ts'

/** Whether a key may invoke a model: its account must have it, and the key must not be kept to others. */
export function availabilityFor(
  { id, availability }: Pick<ModelDefinition, 'id' | 'availability'>,
  allowed: ReadonlySet<string> | null,
): Availability {
  if (!availability.available || allowed === null || allowed.has(id)) return availability
  return { available: false, reason: 'key_scope_missing' }
}
