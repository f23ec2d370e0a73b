import { hash } from 'node:crypto'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjvOnDemand } from '../../lib/create-ajv.ts'
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
 * Numbers are strict, because 1e400 in JSON is read as infinity.
 */
const options = {
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  coerceTypes: false,
  multipleOfPrecision: multipleOfDecimals,
} as const

interface DefinedSchema {
  parameters: object
  /** The same for equal schemas. */
  digest: string
}

class HeldValidators {
  readonly #ajv: () => Ajv2020
  readonly #held = new Map<string, { validate: ValidateFunction; compiledFrom: object }>()

  constructor(ajv: () => Ajv2020) {
    this.#ajv = ajv
  }

  get({ digest, parameters }: DefinedSchema): ValidateFunction {
    const held = this.#held.get(digest) ?? { validate: this.#ajv().compile(parameters), compiledFrom: parameters }
    this.#held.delete(digest)
    this.#held.set(digest, held)
    for (const [oldest, { compiledFrom }] of this.#held) {
      if (this.#held.size <= heldMax) break
      this.#held.delete(oldest)
      this.#ajv().removeSchema(compiledFrom)
    }
    return held.validate
  }
}

const quick = new HeldValidators(createAjvOnDemand({ ...options, useDefaults: true }))
const full = new HeldValidators(createAjvOnDemand({ ...options, allErrors: true }))

/**
 * Like `compileRequestSchema`, for thousands of models of which few are in use at a time. Equal
 * schemas share a validator: routes often narrow models in the same way, and after a reload again.
 */
export function compileDefinedSchema(schema: RequestSchema): Pick<Model, 'accepts' | 'findErrors'> {
  const parameters = parametersOf(schema)
  let known: DefinedSchema | undefined
  const defined = (): DefinedSchema => (known ??= { parameters, digest: hash('sha256', JSON.stringify(parameters)) })
  return {
    accepts: (value) => quick.get(defined())(value),
    findErrors: (value) => {
      const validate = full.get(defined())
      validate(value)
      return validate.errors ?? []
    },
  }
}
