import type { FieldPath, FieldViolation } from './field-violation.ts'
import { isObject } from './is-object.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Reads the fields of an entry of the configuration, such as a route. Scalars are strings if the
 * entry comes from a file, and JSON values if it comes from a request. An invalid field is added to
 * `violations` and counts as missing. An empty string or null also counts as missing.
 */
export class Fields {
  readonly #entry: Readonly<Record<string, unknown>>
  readonly #path: FieldPath
  readonly #violations: FieldViolation[]

  constructor(entry: Readonly<Record<string, unknown>>, path: FieldPath, violations: FieldViolation[]) {
    this.#entry = entry
    this.#path = path
    this.#violations = violations
  }

  /** Reports unknown fields, and suggests the closest known ones. */
  requireOnly(allowedNames: readonly string[], subject: string): void {
    for (const name of Object.keys(this.#entry)) {
      if (allowedNames.includes(name)) continue
      const suggestion = nearestName(name, allowedNames, 3)
      this.addViolation(name, `is not a field of ${subject}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`)
    }
  }

  readText(name: string): string | undefined {
    const value = this.#rawValue(name)
    if (value === undefined || typeof value === 'string') return value
    this.addViolation(name, 'must be text')
    return undefined
  }

  readNumber(name: string, { min, max, isInteger = true }: NumberRange): number | undefined {
    const raw = this.#rawValue(name)
    if (raw === undefined) return undefined
    const value = typeof raw === 'string' ? Number(raw) : raw
    if (typeof value === 'number' && value >= min && value <= max && (!isInteger || Number.isInteger(value))) return value
    this.addViolation(name, `must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`)
    return undefined
  }

  /**
   * Reads an object whose values are text. Empty if the field is missing. Invalid values are
   * reported, but the returned object has them.
   */
  readTexts(name: string): Record<string, string> {
    const value = this.readObject(name)
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'string' || item === '') this.addViolation(name, `must have a non-empty string for ${key}`)
    }
    return value as Record<string, string>
  }

  readObject(name: string): Record<string, unknown> {
    const value = this.#rawValue(name)
    if (value === undefined) return {}
    if (isObject(value)) return value
    this.addViolation(name, 'must be a map')
    return {}
  }

  readObjectOrText(name: string): Record<string, unknown> | string | undefined {
    return isObject(this.#entry[name]) ? this.readObject(name) : this.readText(name)
  }

  addViolation(name: string, message: string): void {
    this.#violations.push({ path: [...this.#path, name], message })
  }

  #rawValue(name: string): unknown {
    const value = this.#entry[name]
    return value === null || value === '' ? undefined : value
  }
}

interface NumberRange {
  min: number
  max: number
  isInteger?: boolean
}
