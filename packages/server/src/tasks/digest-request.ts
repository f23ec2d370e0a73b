import { hash } from 'node:crypto'
import type { Simulation } from '@framegate/contract'
import type { ParsedParameters } from '../catalogue/model.ts'

/**
 * What makes two requests the same for an idempotency key: the model and the parameters after defaults, whatever the order
 * of the fields, the white space, or the interface they came by.
 */
export function digestRequest(modelId: string, parameters: ParsedParameters, simulate: Simulation | null = null): string {
  const simulated = simulate === null ? '' : `\n${canonicalJson(simulate)}`
  return hash('sha256', `${JSON.stringify(modelId)}\n${canonicalJson(parameters)}${simulated}`, 'base64url')
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}
