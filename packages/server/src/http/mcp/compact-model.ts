import type { Model } from '@framegate/contract'

/** An item of the list of models: what a caller needs to choose one. `get_model` shows the rest. */
export function compactModel(text: string): object {
  const { id, type, display_name, description, capabilities, price, available, reason } = JSON.parse(text) as Model
  return { id, type, display_name, description, capabilities, price, available, reason }
}
