import type { FieldPath, FieldViolation } from './field-violation.ts'
import { isObject } from './is-object.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Reads the fields of one entry. A file has them as text, and a request as JSON. Every violation is
 * added to `violations`, and an invalid field is treated as missing.
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

  /** Reports each unknown field, and suggests the nearest known field. */
  requireOnly(known: readonly string[], ofWhat: string): void {
    for (const name of Object.keys(this.#entry)) {
      if (known.includes(name)) continue
      const meant = nearestName(name, known, 3)
      this.addViolation(name, `is not a field of ${ofWhat}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
    }
  }

  text(name: string): string | undefined {
    const value = this.#given(name)
    if (value === undefined || typeof value === 'string') return value
    this.addViolation(name, 'must be text')
    return undefined
  }

  number(name: string, { min, max, isWhole = true }: NumberForm): number | undefined {
    const given = this.#given(name)
    if (given === undefined) return undefined
    const value = typeof given === 'string' ? Number(given) : given
    if (typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
    this.addViolation(name, `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`)
    return undefined
  }

  /** Reads an object whose values are text. Empty if the field is missing. */
  texts(name: string): Record<string, string> {
    const value = this.object(name)
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'string' || item === '') this.addViolation(name, `must have a text for ${key}`)
    }
    return value as Record<string, string>
  }

  object(name: string): Record<string, unknown> {
    const value = this.#given(name)
    if (value === undefined) return {}
    if (isObject(value)) return value
    this.addViolation(name, 'must be a map')
    return {}
  }

  objectOrText(name: string): Record<string, unknown> | string | undefined {
    return isObject(this.#entry[name]) ? this.object(name) : this.text(name)
  }

  addViolation(name: string, message: string): void {
    this.#violations.push({ path: [...this.#path, name], message })
  }

  #given(name: string): unknown {
    const value = this.#entry[name]
    return value === null || value === '' ? undefined : value
  }
}

interface NumberForm {
  min: number
  max: number
  isWhole?: boolean
}
