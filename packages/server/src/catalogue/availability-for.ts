import type { Availability, ModelDefinition } from './model.ts'

/**
 * Returns the availability of a model for one key. `allowedModelIds` has the models that the key
 * may invoke. Null: every model.
 */
export function availabilityFor(
  { id, availability }: Pick<ModelDefinition, 'id' | 'availability'>,
  allowedModelIds: ReadonlySet<string> | null,
): Availability {
  if (!availability.available || allowedModelIds === null || allowedModelIds.has(id)) return availability
  return { available: false, reason: 'key_scope_missing' }
}
