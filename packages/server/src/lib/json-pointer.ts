/** What is repeated of a client's text in an error: a name can be as long as a body. */
const echoedCharactersMax = 200

/** The beginning of a name or pointer, where it is too long to be repeated. */
export function shortened(text: string): string {
  return text.length > echoedCharactersMax ? `${text.slice(0, echoedCharactersMax)}…` : text
}

/** A JSON Pointer (RFC 6901). Names are shortened before they are escaped, for each step over megabytes would stop the process. */
export function pointerTo(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${shortened(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The first step of a pointer. */
export function fieldOf(pointer: string): string {
  const [, field = ''] = pointer.split('/', 2)
  return field.replaceAll('~1', '/').replaceAll('~0', '~')
}
