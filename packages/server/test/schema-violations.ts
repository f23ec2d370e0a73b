import { Ajv2020 } from 'ajv/dist/2020.js'

const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, code: { optimize: false } })

/** Returns the violations of a contract's schema in a value. Empty if there are none. */
export function schemaViolations(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
