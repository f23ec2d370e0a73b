import { falDocument, falEndpoints } from './fal-documents.ts'

type Schema = Record<string, unknown>

const [firstEndpoint] = falEndpoints
if (firstEndpoint === undefined) throw new Error('there are no endpoints')
const plainEndpoint = {
  ...firstEndpoint,
  id: 'evil/model',
  components: {},
  required: ['prompt'],
  input: { prompt: { type: 'string' } },
}

/** Returns a document whose input has `prompt` and these fields. */
function withFields(
  input: Record<string, unknown>,
  required: string[] = ['prompt'],
  components: Record<string, Schema> = {},
): string {
  return JSON.stringify(falDocument({ ...plainEndpoint, input: { prompt: { type: 'string' }, ...input }, required, components }))
}

function withInput(schema: unknown): string {
  const document = falDocument(plainEndpoint)
  const { schemas } = document['components'] as { schemas: Schema }
  schemas['EvilModelInput'] = schema
  return JSON.stringify(document)
}

function nestSchema(depth: number, kind: 'properties' | 'items' | 'anyOf' | 'allOf'): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < depth; level++) {
    if (kind === 'properties') schema = { type: 'object', properties: { a: schema } }
    else if (kind === 'items') schema = { type: 'array', items: schema }
    else if (kind === 'anyOf') schema = { anyOf: [schema, { type: 'object', properties: { a: { type: 'string' } } }] }
    else schema = { allOf: [schema] }
  }
  return schema
}

/** Components that each refer to the previous one twice. */
function doublingSchemas(levels: number): Record<string, Schema> {
  const components: Record<string, Schema> = { X0: { type: 'string' } }
  for (let level = 1; level <= levels; level++) {
    const previous = { $ref: `#/components/schemas/X${level - 1}` }
    components[`X${level}`] = { type: 'object', properties: { a: previous, b: previous } }
  }
  return components
}

const createMany = (count: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A malicious document as a server could send it, with the error that the import must report. */
export interface HostileDocument {
  title: string
  text: string
  refusal: RegExp
}

export const hostileDocuments: readonly HostileDocument[] = [
  { title: 'an HTML page', text: '<!doctype html><title>Not found</title>', refusal: /is not JSON\.$/ },
  { title: 'an empty response', text: '', refusal: /is not JSON\.$/ },
  { title: 'half a document', text: withFields({}).slice(0, 500), refusal: /is not JSON\.$/ },
  { title: 'a list', text: '[]', refusal: /must be a JSON object\.$/ },
  { title: 'null', text: 'null', refusal: /must be a JSON object\.$/ },
  { title: 'an object without paths', text: '{}', refusal: /has no POST operation with a body\.$/ },
  { title: 'paths that are a text', text: '{"paths":"/x"}', refusal: /has no POST operation with a body\.$/ },
  {
    title: 'a document beyond the size limit',
    text: withFields({ a: { type: 'string', description: 'x'.repeat(300_000) } }),
    refusal: /is larger than (the )?262144 bytes/,
  },
  { title: 'a hundred thousand brackets', text: '['.repeat(100_000), refusal: /nested more than 40 levels deep/ },
  {
    title: 'eighty thousand empty lists',
    text: `{"a":[${'[],'.repeat(80_000)}[]]}`,
    refusal: /has more than 50000 values/,
  },
  {
    title: 'a remote reference',
    text: withFields({ a: { $ref: 'https://evil.example/schema.json' } }),
    refusal: /refers to another document, which is never fetched\.$/,
  },
  {
    title: 'a reference to a local file',
    text: withFields({ a: { $ref: 'file:///etc/passwd' } }),
    refusal: /refers to another document/,
  },
  {
    title: 'a reference to the metadata service',
    text: withInput({ $ref: 'http://169.254.169.254/latest/meta-data' }),
    refusal: /refers to another document/,
  },
  { title: 'a reference that is a number', text: withFields({ a: { $ref: 7 } }), refusal: /refers to another document/ },
  {
    title: 'a reference to nothing',
    text: withFields({ a: { $ref: '#/components/schemas/Missing' } }),
    refusal: /refers to #\/components\/schemas\/Missing, which does not exist in the document\.$/,
  },
  {
    title: 'a reference into a prototype',
    text: withFields({ a: { $ref: '#/__proto__/toString' } }),
    refusal: /which does not exist in the document\.$/,
  },
  {
    title: 'a schema that refers to itself',
    text: withFields({ a: { $ref: '#/components/schemas/A' } }, ['prompt'], { A: { $ref: '#/components/schemas/A' } }),
    refusal: /refers to itself\.$/,
  },
  {
    title: 'a schema that contains itself',
    text: withFields({ a: { $ref: '#/components/schemas/Node' } }, ['prompt'], {
      Node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } },
    }),
    refusal: /refers to itself\.$/,
  },
  {
    title: 'two schemas that refer to each other',
    text: withFields({ a: { $ref: '#/components/schemas/A' } }, ['prompt'], {
      A: { allOf: [{ $ref: '#/components/schemas/B' }] },
      B: { anyOf: [{ $ref: '#/components/schemas/A' }] },
    }),
    refusal: /refers to itself\.$/,
  },
  {
    title: 'references that double at each level',
    text: withFields({ a: { $ref: '#/components/schemas/X7' } }, ['prompt'], doublingSchemas(7)),
    refusal: /more than 500 schemas|levels deep/,
  },
  {
    title: 'references that double thirty times',
    text: withFields({ a: { $ref: '#/components/schemas/X30' } }, ['prompt'], doublingSchemas(30)),
    refusal: /levels deep|more than 500 schemas/,
  },
  {
    title: 'objects nested twelve levels deep',
    text: withFields({ a: nestSchema(12, 'properties') }),
    refusal: /nested more than (8|40) levels deep/,
  },
  {
    title: 'lists nested twelve levels deep',
    text: withFields({ a: nestSchema(12, 'items') }),
    refusal: /nested more than (8|40) levels deep/,
  },
  {
    title: 'alternatives nested twelve levels deep',
    text: withFields({ a: nestSchema(12, 'anyOf') }),
    refusal: /nested more than (8|40) levels deep/,
  },
  {
    title: 'an allOf nested twelve levels deep',
    text: withFields({ a: nestSchema(12, 'allOf') }),
    refusal: /nested more than (8|40) levels deep/,
  },
  {
    title: 'a hundred and one fields',
    text: withFields(Object.fromEntries(createMany(101, (index) => [`f${index}`, { type: 'string' }]) as [string, Schema][])),
    refusal: /has more than 100 fields\.$/,
  },
  {
    title: 'a thousand and one choices',
    text: withFields({ a: { enum: createMany(1_001, String) } }),
    refusal: /has more than 1000 values\.$/,
  },
  {
    title: 'a choice of a thousand characters',
    text: withFields({ a: { enum: ['x'.repeat(1_000)] } }),
    refusal: /has a value of more than 200 characters\.$/,
  },
  { title: 'an enum without values', text: withFields({ a: { type: 'string', enum: [] } }), refusal: /at least one value\.$/ },
  {
    title: 'an enum that is no list',
    text: withFields({ a: { type: 'string', enum: { a: 1 } } }),
    refusal: /at least one value\.$/,
  },
  {
    title: 'nine alternatives',
    text: withFields({ a: { anyOf: createMany(9, () => ({ type: 'object', properties: { a: { type: 'string' } } })) } }),
    refusal: /more than 8 alternatives\.$/,
  },
  { title: 'alternatives that are no list', text: withFields({ a: { anyOf: 'string' } }), refusal: /are not a list\.$/ },
  { title: 'an allOf that is no list', text: withFields({ a: { allOf: {} } }), refusal: /allOf that is not a list\.$/ },
  {
    title: 'an allOf of two types',
    text: withFields({ a: { allOf: [{ type: 'string' }, { type: 'integer' }] } }),
    refusal: /combines two different types in allOf\.$/,
  },
  {
    title: 'a field named __proto__',
    text: withInput({
      type: 'object',
      required: [],
      properties: JSON.parse('{"__proto__":{"type":"string"},"prompt":{"type":"string"}}') as Schema,
    }),
    refusal: /forbidden name __proto__\.$/,
  },
  {
    title: 'a field named constructor',
    text: withFields({ constructor: { type: 'string' } }),
    refusal: /forbidden name constructor\.$/,
  },
  {
    title: 'a nested property named prototype',
    text: withFields({ a: { type: 'object', properties: { prototype: { type: 'string' } } } }),
    refusal: /forbidden name prototype\.$/,
  },
  { title: 'a field that is a text', text: withFields({ a: 'string' }), refusal: /The schema of a must be an object\.$/ },
  { title: 'a field that is true', text: withFields({ a: true }), refusal: /The schema of a must be an object\.$/ },
  { title: 'properties that are a list', text: withInput({ type: 'object', properties: [] }), refusal: /must be an object\.$/ },
  { title: 'an input without fields', text: withInput({ type: 'object' }), refusal: /has no fields\.$/ },
  {
    title: 'an input with an empty map of fields',
    text: withInput({ type: 'object', properties: {} }),
    refusal: /has no fields\.$/,
  },
  {
    title: 'required fields that are a text',
    text: withInput({ type: 'object', properties: { prompt: { type: 'string' } }, required: 'prompt' }),
    refusal: /must be a list\.$/,
  },
  {
    title: 'a required field of an unknown type',
    text: withFields({ a: { type: 'function' } }, ['prompt', 'a']),
    refusal: /requires the field a, which has the unknown type "function"\.$/,
  },
  {
    title: 'a required field without a type',
    text: withFields({ a: { enum: [1, 'a', null] } }, ['prompt', 'a']),
    refusal: /requires the field a, which has no type\.$/,
  },
  {
    title: 'a required field of two types',
    text: withFields({ a: { type: ['string', 'integer'] } }, ['prompt', 'a']),
    refusal: /requires the field a, which has several types\.$/,
  },
  {
    title: 'an empty required range',
    text: withFields({ a: { type: 'integer', minimum: 5, maximum: 1 } }, ['prompt', 'a']),
    refusal: /minimum above its maximum\.$/,
  },
  {
    title: 'a required key of the operator',
    text: withFields({ api_key: { type: 'string' } }, ['prompt', 'api_key']),
    refusal: /cannot be offered: it holds a secret of the operator\.$/,
  },
  {
    title: 'a required address of weights',
    text: withFields({ loras: { type: 'array', items: { type: 'string' } } }, ['prompt', 'loras']),
    refusal: /cannot be offered: it lets clients make the provider download models/,
  },
  {
    title: 'a required field with a space in its name',
    text: withFields({ 'a b': { type: 'string' } }, ['prompt', 'a b']),
    refusal: /cannot be offered: its name cannot be the name of a parameter\.$/,
  },
  {
    title: 'a result that is a sound',
    text: JSON.stringify(falDocument({ ...plainEndpoint, output: 'audio' })),
    refusal: /so it cannot be imported\.$/,
  },
]

/** Documents with malicious fields or keywords. The import omits them, with a note that matches. */
export const hostileButUsable: readonly { title: string; text: string; note: RegExp }[] = [
  {
    title: 'a pattern that takes seconds',
    text: withFields({ a: { type: 'string', pattern: '^(a+)+$' } }),
    note: /pattern was not kept/,
  },
  {
    title: 'a condition',
    text: withFields({ a: { type: 'string', if: {}, else: {}, not: {} } }),
    note: /if, else, not were not kept/,
  },
  { title: '$data', text: withFields({ a: { type: 'string', $data: '1/b' } }), note: /\$data was not kept/ },
  {
    title: 'a default that its own schema refuses',
    text: withFields({ a: { type: 'integer', default: null }, b: { type: 'integer', default: 'x' } }),
    note: /default was left out/,
  },
  {
    title: 'a required name without a property',
    text: withFields({}, ['prompt', 'ghost']),
    note: /left out: the schema requires this field, but does not define it/,
  },
  {
    title: 'an optional field of an unknown type',
    text: withFields({ a: { type: 'function' } }),
    note: /left out: it has the unknown type/,
  },
]
