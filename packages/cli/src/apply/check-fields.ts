import type { BodyFieldSchema } from '@framegate/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseTime } from '../terminal/time.ts'
import type { MapRules } from './file-sections.ts'
import { violationAt, type Violation, type Located } from './located.ts'

const timeFields = new Set(['expires_at', 'effective_at'])
const microCreditsPerCredit = 1e6
const creditFields = /^(amount|credits_in_flight_max|spent_per_(day|month)_max)$/

/**
 * Checks a list of maps and adds every violation of the rules to `violations`. Converts the times
 * in the items to Unix seconds, in place.
 */
export function checkList(list: Located, rules: MapRules, violations: Violation[]): void {
  if (list.value === null) return
  if (!Array.isArray(list.value)) violations.push(violationAt(list, 'must be a list with one "- name: …" per item.'))
  for (const item of list.items) checkMap(item, rules, violations)
}

function checkMap(item: Located, { required, fields, lists }: MapRules, violations: Violation[]): void {
  if (typeof item.value !== 'object' || item.value === null || Array.isArray(item.value)) {
    violations.push(violationAt(item, `must be a map with ${required.join(' and ')}.`))
    return
  }
  for (const name of required) if (!item.fields.has(name)) violations.push(violationAt(item, `must have ${name}.`))
  const values = item.value as Record<string, unknown>
  for (const [name, field] of item.fields) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    const nestedRules = Object.hasOwn(lists, name) ? lists[name] : undefined
    if (nestedRules !== undefined) checkList(field, nestedRules, violations)
    else if (rule === undefined) {
      violations.push(
        violationAt(field, `is not a known field; the fields are ${[...Object.keys(fields), ...Object.keys(lists)].join(', ')}.`),
      )
    } else {
      values[name] = withUnixSeconds(name, field.value)
      const isExact = !creditFields.test(name) || hasAtMostSixDecimals(values[name])
      if (!validatorOf(rule)(values[name])) violations.push(violationAt(field, `must be ${rule.means}.`))
      else if (!isExact) violations.push(violationAt(field, 'must have at most six decimals.'))
    }
  }
}

function withUnixSeconds(name: string, value: unknown): unknown {
  if (!timeFields.has(name) || typeof value !== 'string') return value
  return parseTime(value) ?? value
}

function hasAtMostSixDecimals(value: unknown): boolean {
  return typeof value !== 'number' || Math.abs(Math.round(value * microCreditsPerCredit) / microCreditsPerCredit - value) < 1e-9
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, coerceTypes: false, keywords: ['means'] })
const validators = new WeakMap<BodyFieldSchema, ValidateFunction>()

function validatorOf(rule: BodyFieldSchema): ValidateFunction {
  const cachedValidator = validators.get(rule)
  if (cachedValidator !== undefined) return cachedValidator
  const compiled = ajv.compile(rule)
  validators.set(rule, compiled)
  return compiled
}
