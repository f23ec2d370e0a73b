import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../../lib/create-ajv.ts'
import { parametersOf } from '../compile-request-schema.ts'
import type { Model, RequestSchema } from '../model.ts'
import { multipleOfDecimals } from './matches-schema.ts'

/**
 * Validators held per kind; each takes some tens of kilobytes. The least recently used one is
 * compiled again when it is needed.
 */
const heldMax = 200

/**
 * Strict mode is off: the reader of definitions has checked every keyword. `format` is only a hint.
 */
const options = { strict: false, validateFormats: false, coerceTypes: false, multipleOfPrecision: multipleOfDecimals } as const

class HeldValidators {
  readonly #ajv: Ajv2020
  readonly #held = new Map<object, ValidateFunction>()

  constructor(ajv: Ajv2020) {
    this.#ajv = ajv
  }

  get(schema: object): ValidateFunction {
    const held = this.#held.get(schema)
    const validate = held ?? this.#ajv.compile(schema)
    this.#held.delete(schema)
    this.#held.set(schema, validate)
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= heldMax) break
      this.#held.delete(oldest)
      this.#ajv.removeSchema(oldest)
    }
    return validate
  }
}

const quick = new HeldValidators(createAjv({ ...options, useDefaults: true }))
const full = new HeldValidators(createAjv({ ...options, allErrors: true }))

/** Like `compileRequestSchema`, for thousands of models of which few are in use at a time. */
export function compileDefinedSchema(schema: RequestSchema): Pick<Model, 'accepts' | 'findErrors'> {
  const parameters = parametersOf(schema)
  return {
    accepts: (value) => quick.get(parameters)(value),
    findErrors: (value) => {
      const validate = full.get(parameters)
      validate(value)
      return validate.errors ?? []
    },
  }
}
