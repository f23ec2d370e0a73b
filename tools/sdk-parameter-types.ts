import type { Family, ModelDefinition, ParameterSchema } from '../packages/server/src/catalogue/model.ts'
import { isMediaParameter } from '../packages/server/src/catalogue/generation-parameters.ts'
import { modelNotes, parameterNotes } from './parameter-notes.ts'

/**
 * Generates `packages/sdk/src/model-parameters.ts`: the parameters of every model as TypeScript.
 */
export function sdkParameterTypes(families: readonly Family[]): string {
  const models = families.flatMap((family) => family.models)
  const lines = [
    '// Generated from the catalogue by `node tools/write-sdk-parameter-types.ts`.',
    '',
    "import type { MediaInput } from './media-inputs.ts'",
    '',
    '/** A Model ID for which this package has parameter types. Only the service checks the parameters of other models. */',
    'export type KnownModel = keyof ParametersByModel',
    '',
    '/** Parameters that a request to each model may have. */',
    'export interface ParametersByModel {',
    ...models.flatMap(modelLines).map((line) => `  ${line}`),
    '}',
    '',
  ]
  return lines.join('\n')
}

function modelLines(model: ModelDefinition): string[] {
  const { model: _model, ...parameters } = model.parameters.properties
  return [
    `/** ${modelNotes(model)} */`,
    `${propertyName(model.id)}: {`,
    ...Object.entries(parameters)
      .flatMap(([name, schema]) => parameterLines(name, schema, model.parameters.required.includes(name)))
      .map((line) => `  ${line}`),
    '}',
  ]
}

function parameterLines(name: string, schema: ParameterSchema, isRequired: boolean): string[] {
  const type = typeOf(name, schema)
  return [`/** ${parameterNotes(schema)} */`, isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`]
}

function typeOf(name: string, schema: ParameterSchema): string {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices) return choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice))).join(' | ')
  const text = isMediaParameter(name) ? 'MediaInput' : 'string'
  switch (schema.type) {
    case 'integer':
      return 'number'
    case 'array':
      return `readonly ${text}[]`
    case 'string':
      return text
    default:
      return schema.type ?? 'unknown'
  }
}

function propertyName(id: string): string {
  return /^[A-Za-z_]\w*$/.test(id) ? id : `'${id}'`
}
