import { Ajv2020, type Options } from 'ajv/dist/2020.js'

/**
 * Disables the two steps that take most of the compile time. Schemas are not validated, because
 * tests cover the program's own schemas, and others are checked when they are read. The generated
 * code is not optimized, because that does not make it faster.
 */
const fastCompileOptions = { meta: false, validateSchema: false, code: { optimize: false } } as const

/**
 * Creates a JSON Schema validator whose `minLength` and `maxLength` read only as much of a string
 * as necessary. Ajv itself counts all code points of a string, which may be as long as a body.
 */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...fastCompileOptions, ...options })
  for (const [keyword, isValid] of [
    ['minLength', hasAtLeast],
    ['maxLength', hasAtMost],
  ] as const) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      errors: false,
      compile: (limit: number) => (text: string) => isValid(text, limit),
    })
  }
  return ajv
}

/**
 * Returns a function that creates the validator on its first call, because that takes milliseconds.
 */
export function createAjvOnDemand(options: Options): () => Ajv2020 {
  let ajv: Ajv2020 | undefined
  return () => (ajv ??= createAjv(options))
}

/** Whether a text has at most `max` code points. A code point takes one or two UTF-16 units. */
function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max)
}

function hasAtLeast(text: string, min: number): boolean {
  return text.length >= 2 * min || (text.length >= min && countCharacters(text) >= min)
}

/** Counts code points, like JSON Schema, without creating a list of them. */
export function countCharacters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; count++) index += (text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1
  return count
}
