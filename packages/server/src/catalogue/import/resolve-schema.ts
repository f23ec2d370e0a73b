import { isObject } from '../../lib/is-object.ts'
import { schemaDepthMax, schemasMax } from './import-limits.ts'
import { ImportError } from './import-error.ts'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { truncate } from '../../lib/truncate.ts'

/** A schema without `$ref` and `allOf`. */
export type ResolvedSchema = Readonly<Record<string, unknown>>

/**
 * Replaces every local `$ref` with the schema that it refers to, and merges the schemas of `allOf`
 * into the surrounding schema, whose keywords take precedence. Refuses remote references, cycles,
 * and documents whose resolved schemas exceed the limits.
 */
export class SchemaResolver {
  readonly #document: ResolvedSchema
  #schemaCount = 0

  constructor(document: ResolvedSchema) {
    this.#document = document
  }

  /** Resolves a schema. `subject` is the name of the schema in error messages. */
  resolve(schema: unknown, subject: string): ResolvedSchema {
    return this.#resolve(schema, subject, [], 1)
  }

  #resolve(schema: unknown, subject: string, enclosingPointers: readonly string[], depth: number): ResolvedSchema {
    if (!isObject(schema)) throw new ImportError(`The schema of ${subject} must be an object.`)
    if (depth > schemaDepthMax)
      throw new ImportError(`The schema of ${subject} is nested more than ${schemaDepthMax} levels deep.`)
    this.#schemaCount += 1
    if (this.#schemaCount > schemasMax)
      throw new ImportError(`The document has more than ${schemasMax} schemas after its references are resolved.`)
    const { $ref: reference, allOf, ...siblings } = schema
    const parts: ResolvedSchema[] = []
    if (reference !== undefined) {
      const target = this.#followReference(reference, subject, enclosingPointers)
      parts.push(this.#resolve(target.schema, subject, [...enclosingPointers, target.pointer], depth))
    }
    if (allOf !== undefined) {
      if (!Array.isArray(allOf)) throw new ImportError(`The schema of ${subject} has an allOf that is not a list.`)
      for (const part of allOf) parts.push(this.#resolve(part, subject, enclosingPointers, depth + 1))
    }
    return mergeParts([...parts, this.#resolveNested(siblings, subject, enclosingPointers, depth)], subject)
  }

  #resolveNested(schema: ResolvedSchema, subject: string, enclosingPointers: readonly string[], depth: number): ResolvedSchema {
    const inner = (value: unknown, childSubject: string): ResolvedSchema =>
      this.#resolve(value, childSubject, enclosingPointers, depth + 1)
    const { properties, items, prefixItems, anyOf, oneOf, ...rest } = schema
    const resolvedSchema: Record<string, unknown> = { ...rest }
    if (properties !== undefined) {
      if (!isObject(properties)) throw new ImportError(`The properties of ${subject} must be an object.`)
      const entries = Object.entries(properties)
      const forbiddenEntry = entries.find(([name]) => isPrototypeName(name))
      if (forbiddenEntry !== undefined)
        throw new ImportError(`The schema of ${subject} has a field with the forbidden name ${forbiddenEntry[0]}.`)
      resolvedSchema['properties'] = Object.fromEntries(entries.map(([name, value]) => [name, inner(value, shortName(name))]))
    }
    const tuple = prefixItems ?? (Array.isArray(items) ? items : undefined)
    if (tuple !== undefined) resolvedSchema['prefixItems'] = listOf(tuple, subject).map((value) => inner(value, subject))
    else if (isObject(items)) resolvedSchema['items'] = inner(items, subject)
    const alternatives = anyOf ?? oneOf
    if (alternatives !== undefined) resolvedSchema['anyOf'] = listOf(alternatives, subject).map((value) => inner(value, subject))
    return resolvedSchema
  }

  #followReference(
    reference: unknown,
    subject: string,
    enclosingPointers: readonly string[],
  ): { schema: unknown; pointer: string } {
    if (typeof reference !== 'string' || !reference.startsWith('#/') || reference.length > 300) {
      throw new ImportError(`The schema of ${subject} refers to another document, which is never fetched.`)
    }
    if (enclosingPointers.includes(reference)) throw new ImportError(`The schema of ${subject} refers to itself.`)
    let schema: unknown = this.#document
    for (const step of reference.slice(2).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      schema = isObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined
    }
    if (schema === undefined)
      throw new ImportError(`The schema of ${subject} refers to ${shortName(reference)}, which does not exist in the document.`)
    return { schema, pointer: reference }
  }
}

function listOf(value: unknown, subject: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new ImportError(`The schema of ${subject} has alternatives or items that are not a list.`)
}

/**
 * Merges schemas. A later keyword replaces an earlier one, but properties and required names are
 * combined.
 */
function mergeParts(parts: readonly ResolvedSchema[], subject: string): ResolvedSchema {
  const mergedSchema: Record<string, unknown> = {}
  for (const part of parts) {
    if (
      mergedSchema['type'] !== undefined &&
      part['type'] !== undefined &&
      JSON.stringify(mergedSchema['type']) !== JSON.stringify(part['type'])
    ) {
      throw new ImportError(`The schema of ${subject} combines two different types in allOf.`)
    }
    for (const [name, value] of Object.entries(part)) {
      const previousValue = mergedSchema[name]
      if (name === 'properties' && isObject(previousValue)) mergedSchema[name] = { ...previousValue, ...(value as object) }
      else if (name === 'required' && Array.isArray(previousValue) && Array.isArray(value))
        mergedSchema[name] = [...new Set([...previousValue, ...value])]
      else mergedSchema[name] = value
    }
  }
  return mergedSchema
}

/** Makes a name from an untrusted source printable and short enough for a sentence. */
export function shortName(name: string): string {
  const printableName = name.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?')
  return printableName.length > 64 ? `${truncate(printableName, 64)}…` : printableName
}
