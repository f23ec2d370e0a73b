import type { Availability, ModelDefinition } from './model.ts'

/**
 * Returns whether a key may invoke a model. The model must be available to the account, and the key
 * must not be restricted to other models.
 */
export function availabilityFor(
  { id, availability }: Pick<ModelDefinition, 'id' | 'availability'>,
  allowed: ReadonlySet<string> | null,
): Availability {
  if (!availability.available || allowed === null || allowed.has(id)) return availability
  return { available: false, reason: 'key_scope_missing' }
}
