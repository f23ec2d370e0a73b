import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createAjvOnDemand } from '../lib/create-ajv.ts'
import type { Model, RequestSchema } from './model.ts'

const failFastAjv = createAjvOnDemand({ strict: true, useDefaults: true, coerceTypes: false })
const collectingAjv = createAjvOnDemand({ strict: true, allErrors: true, coerceTypes: false })

/**
 * Creates the validators of one model. They do not check `model`, because `resolveModel` has
 * already compared the Model ID byte for byte. Compiling a validator takes milliseconds, so each is
 * compiled on first use.
 */
export function compileRequestSchema(schema: RequestSchema): Pick<Model, 'accepts' | 'findErrors'> {
  const parameters = parametersOf(schema)
  let failFastValidator: ValidateFunction | undefined
  let collectingValidator: ValidateFunction | undefined
  return {
    accepts: (value) => (failFastValidator ??= failFastAjv().compile(parameters))(value),
    findErrors: (value) => {
      collectingValidator ??= collectingAjv().compile(parameters)
      collectingValidator(value)
      return collectingValidator.errors ?? []
    },
  }
}

export function parametersOf({ properties: { model: _model, ...properties }, ...schema }: RequestSchema): object {
  return { ...schema, properties, required: schema.required.filter((name) => name !== 'model') }
}
