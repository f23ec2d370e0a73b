import type { Model } from '@framegate/contract'

/**
 * Reduces a model to the fields that a caller needs to choose one. `get_model` returns the rest.
 */
export function compactModel(text: string): object {
  const { id, type, display_name, description, capabilities, price, available, reason } = JSON.parse(text) as Model
  return { id, type, display_name, description, capabilities, price, available, reason }
}
