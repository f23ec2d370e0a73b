import type { FormField } from './form-field.tsx'
import { textOf } from './text-of.ts'

/** Values of a form, by the names of the fields. */
export type FormValues = Readonly<Record<string, unknown>>

/** Error of a value that cannot be converted for the request. */
export class InvalidEntry extends Error {
  override readonly name = 'InvalidEntry'
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Returns the body of a request. `initial` is null for a new object, whose body omits empty fields.
 * The body of a change has only the fields that differ from `initial`; a cleared field becomes
 * null. Throws `InvalidEntry` with the message `notJson` for text that is not JSON.
 */
export function bodyOfForm(
  fields: readonly FormField[],
  values: FormValues,
  initial: FormValues | null,
  notJson: string,
): FormValues {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const { name } = field
    const value = convertValue(field, values[name], notJson)
    const initialValue = initial === null ? undefined : convertValue(field, initial[name], notJson)
    if (value !== undefined) {
      if (JSON.stringify(value) !== JSON.stringify(initialValue)) body[name] = value
    } else if (initialValue !== undefined) {
      body[name] = null
    }
  }
  return body
}

/**
 * Throws `InvalidEntry` if a number or time field contains text that the browser cannot parse. The
 * browser reports the value of such a field as empty, so the request would omit it.
 */
export function requireReadable(form: HTMLFormElement, messageOf: (label: string) => string): void {
  for (const element of form.elements) {
    if (!(element instanceof HTMLInputElement) || !element.validity.badInput) continue
    throw new InvalidEntry(element.name, messageOf(element.labels?.[0]?.textContent ?? element.name))
  }
}

function convertValue(field: FormField, value: unknown, notJson: string): unknown {
  if (value === undefined || value === null || value === '') return undefined
  switch (field.kind) {
    case 'number':
      return Number(value)
    case 'dateTime':
      return Math.floor(new Date(textOf(value)).getTime() / 1000)
    case 'json':
      if (typeof value !== 'string') return value
      try {
        return JSON.parse(value) as unknown
      } catch {
        throw new InvalidEntry(field.name, notJson)
      }
    default:
      return value
  }
}

/** Converts Unix seconds to the value of a `datetime-local` field. Null becomes empty. */
export function localTime(seconds: number | null): string {
  if (seconds === null) return ''
  const date = new Date(seconds * 1000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
