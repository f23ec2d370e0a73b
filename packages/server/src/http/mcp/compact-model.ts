import type { Model } from '@framegate/contract'

/**
 * Reduces the JSON text of a model to the fields that a caller needs to choose a model. `get_model`
 * returns all fields.
 */
export function compactModel(modelText: string): object {
  const { id, type, display_name, description, capabilities, price, available, reason } = JSON.parse(modelText) as Model
  return { id, type, display_name, description, capabilities, price, available, reason }
}
