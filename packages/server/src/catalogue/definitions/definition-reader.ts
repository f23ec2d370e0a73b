import type { FieldPath, FieldViolation } from '../../lib/field-violation.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { schemasMax, violationsMax } from './definition-limits.ts'

/** Collects the violations of one definition, and counts its schemas. */
export class DefinitionReader {
  readonly violations: FieldViolation[] = []
  #schemaCount = 0

  addViolation(path: FieldPath, message: string): void {
    if (this.violations.length < violationsMax) this.violations.push({ path, message })
  }

  /** Reports each unknown name, and suggests the nearest known name. */
  requireOnly(raw: object, knownNames: readonly string[], path: FieldPath, subject: string): void {
    for (const name of Object.keys(raw)) {
      if (knownNames.includes(name)) continue
      const suggestion = nearestName(name, knownNames, 3)
      this.addViolation([...path, name], `is not ${subject}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`)
    }
  }

  /**
   * Counts one more schema. Returns false if there are too many schemas. Reports the excess once.
   */
  countSchema(path: FieldPath): boolean {
    this.#schemaCount += 1
    if (this.#schemaCount === schemasMax + 1)
      this.addViolation(path, `exceeds the limit of ${schemasMax} schemas in a definition`)
    return this.#schemaCount <= schemasMax
  }

  readText(value: unknown, path: FieldPath, charactersMax: number): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') this.addViolation(path, 'must be a string; put it in quotation marks')
    else if (value.length > charactersMax) this.addViolation(path, `must have at most ${charactersMax} characters`)
    else if (controlPattern.test(value)) this.addViolation(path, 'must not contain control characters')
    else return value
    return undefined
  }
}

/**
 * Control characters except tab and line breaks, and the characters that control the direction of
 * text.
 */
// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
