import { truncate } from './truncate.ts'

/** Maximum length of client text in an error. A field name can be as long as a request body. */
const echoedCharactersMax = 200

/** Shortens a name or pointer that is too long for an error. */
export function shorten(text: string): string {
  return text.length > echoedCharactersMax ? `${truncate(text, echoedCharactersMax)}…` : text
}

/**
 * Builds a JSON Pointer (RFC 6901). Names are shortened before they are escaped, because escaping a
 * name of megabytes would block the process.
 */
export function pointerTo(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${shorten(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the first reference token of a JSON Pointer, unescaped. */
export function fieldOf(pointer: string): string {
  const [, field = ''] = pointer.split('/', 2)
  return field.replaceAll('~1', '/').replaceAll('~0', '~')
}
