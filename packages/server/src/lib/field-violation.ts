export type FieldPath = readonly (string | number)[]

/** A violation in an entry of the configuration. */
export interface FieldViolation {
  path: FieldPath
  /** Second part of a sentence that begins with the field. */
  message: string
}

/** Formats a path, such as `routes[2].cost.per_second`. */
export function nameOf(fieldPath: FieldPath): string {
  return fieldPath
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

export function toSentence(message: string): string {
  return message.endsWith('?') ? message : `${message}.`
}

/** Formats a violation as a sentence that begins with the field. */
export function sentenceOf({ path, message }: FieldViolation): string {
  return toSentence(path.length === 0 ? `It ${message}` : `${nameOf(path)} ${message}`)
}
