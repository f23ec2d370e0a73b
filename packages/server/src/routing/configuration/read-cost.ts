import type { RouteDefinition } from './definitions.ts'
import type { FieldViolation, FieldPath } from '../../lib/field-violation.ts'
import { Fields } from '../../lib/read-fields.ts'

const costFields = [
  'per_second',
  'per_image',
  'per_task',
  'per_unit',
  'per_million_input_tokens',
  'per_million_cached_input_tokens',
  'per_million_output_tokens',
]

export function readCost(fields: Fields, path: FieldPath, violations: FieldViolation[]): RouteDefinition['cost'] {
  const rawCost = fields.readObject('cost')
  const costs = new Fields(rawCost, [...path, 'cost'], violations)
  costs.requireOnly(costFields, 'a cost')
  const cost = (name: string): number => costs.readNumber(name, { min: 0, max: 1_000_000, isInteger: false }) ?? 0
  const input = cost('per_million_input_tokens')
  const cachedInputField = 'per_million_cached_input_tokens'
  const output = cost('per_million_output_tokens')
  const cachedInput = rawCost[cachedInputField] === undefined ? input : cost(cachedInputField)
  // Without token costs, `tokens` is absent, so that the digest of the snapshot stays the same as
  // in earlier versions.
  const tokens = input > 0 || cachedInput > 0 || output > 0 ? { input, cachedInput, output } : null
  const routeCost = {
    perSecond: cost('per_second'),
    perImage: cost('per_image'),
    perTask: cost('per_task'),
    perUnit: cost('per_unit'),
    ...(tokens && { tokens }),
  }
  return Object.keys(rawCost).length === 0 ? null : routeCost
}
