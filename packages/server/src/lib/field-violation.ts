export type FieldPath = readonly (string | number)[]

/** The path of a violation, such as `routes[2].weight`, and its message. */
export interface FieldViolation {
  path: FieldPath
  /** The end of a sentence that begins with the field. */
  message: string
}

/** The path as text, such as `routes[2].cost.per_second`. */
export function nameOf(fieldPath: FieldPath): string {
  return fieldPath
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

export function asSentence(message: string): string {
  return message.endsWith('?') ? message : `${message}.`
}

/** The violation of an entry as a sentence that begins with the field. */
export function sentenceOf({ path, message }: FieldViolation): string {
  return asSentence(path.length === 0 ? `It ${message}` : `${nameOf(path)} ${message}`)
}
