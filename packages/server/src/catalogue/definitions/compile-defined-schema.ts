import { hash } from 'node:crypto'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjvOnDemand } from '../../lib/create-ajv.ts'
import { parametersOf } from '../compile-request-schema.ts'
import type { Model, RequestSchema } from '../model.ts'
import { multipleOfDecimals } from './matches-schema.ts'

/**
 * Maximum number of compiled validators of each kind in memory. One takes some tens of kilobytes.
 * The least recently used validator is dropped, and compiled again on its next use.
 */
const cachedValidatorsMax = 200

/**
 * Strict mode is off, because the reader of definitions has already checked every keyword. `format`
 * is not checked, because it is only a hint. `strictNumbers` refuses infinity, which is the result
 * of parsing 1e400 in JSON.
 */
const ajvOptions = {
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  coerceTypes: false,
  multipleOfPrecision: multipleOfDecimals,
} as const

interface DefinedSchema {
  parameters: object
  /** Equal schemas have equal digests. */
  digest: string
}

class ValidatorCache {
  readonly #ajv: () => Ajv2020
  readonly #cached = new Map<string, { validate: ValidateFunction; compiledFrom: object }>()

  constructor(ajv: () => Ajv2020) {
    this.#ajv = ajv
  }

  get({ digest, parameters }: DefinedSchema): ValidateFunction {
    const compiled = this.#cached.get(digest) ?? { validate: this.#ajv().compile(parameters), compiledFrom: parameters }
    this.#cached.delete(digest)
    this.#cached.set(digest, compiled)
    for (const [oldestDigest, { compiledFrom }] of this.#cached) {
      if (this.#cached.size <= cachedValidatorsMax) break
      this.#cached.delete(oldestDigest)
      this.#ajv().removeSchema(compiledFrom)
    }
    return compiled.validate
  }
}

const failFastValidators = new ValidatorCache(createAjvOnDemand({ ...ajvOptions, useDefaults: true }))
const collectingValidators = new ValidatorCache(createAjvOnDemand({ ...ajvOptions, allErrors: true }))

/**
 * Like `compileRequestSchema`, for installations with thousands of models, of which only a few are
 * in use at a time. Equal schemas share a validator. Schemas are often equal, because routes narrow
 * models in the same way, and because a reload produces the same schemas again.
 */
export function compileDefinedSchema(schema: RequestSchema): Pick<Model, 'accepts' | 'findErrors'> {
  const parameters = parametersOf(schema)
  let cachedSchema: DefinedSchema | undefined
  const getSchema = (): DefinedSchema => (cachedSchema ??= { parameters, digest: hash('sha256', JSON.stringify(parameters)) })
  return {
    accepts: (value) => failFastValidators.get(getSchema())(value),
    findErrors: (value) => {
      const validate = collectingValidators.get(getSchema())
      validate(value)
      return validate.errors ?? []
    },
  }
}
