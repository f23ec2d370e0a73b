import type { Model, Task } from '../api/types.ts'

/** The values of the form, by parameter. A missing parameter has its default. */
export type Values = Readonly<Record<string, unknown>>

const storagePrefix = 'console-draft:'

/** Returns the draft for this model: the values last typed in this browser tab. */
export function loadDraft(modelId: string): Values {
  const storedValues = sessionStorage.getItem(storagePrefix + modelId)
  if (storedValues === null) return {}
  try {
    return JSON.parse(storedValues) as Values
  } catch {
    return {}
  }
}

export function storeDraft(modelId: string, values: Values): void {
  try {
    sessionStorage.setItem(storagePrefix + modelId, JSON.stringify(values))
  } catch {
    // A draft with large files exceeds the storage limit and is not stored.
  }
}

/**
 * Returns the body of a submit. Empty values are omitted, so that the model's defaults apply.
 * Values that are not parameters of the model are omitted too.
 */
export function bodyOf(model: Model, values: Values): Record<string, unknown> {
  const sentValues = Object.entries(values).filter(([name, value]) => {
    const isKnown = name in model.parameters.properties || name === 'improve_prompt'
    const isEmpty = value === undefined || value === '' || value === null || (Array.isArray(value) && value.length === 0)
    return isKnown && !isEmpty
  })
  return { model: model.id, ...Object.fromEntries(sentValues) }
}

/**
 * Returns the parameters of a task as values of the form, without files that were sent as data
 * URIs.
 */
export function valuesOfTask({ parameters = {} }: Task): Values {
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => !isFile(value))
      .map(([name, value]) => [name, Array.isArray(value) ? value.filter((item) => !isFile(item)) : value]),
  )
}

/** Whether a value is the placeholder of a file that was sent as a data URI. */
function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sha256' in value
}

/** Converts values from a URL, which are strings, to the types of their parameters. */
export function withTypes({ parameters: { properties } }: Model, values: Values): Values {
  const typedValues = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value]
    switch (properties[name]?.type) {
      case 'integer':
      case 'number':
        return [name, Number(value)]
      case 'boolean':
        return [name, value === 'true']
      case 'array':
        return [name, value.split(',')]
      default:
        return [name, value]
    }
  })
  return Object.fromEntries(typedValues) as Values
}

/** Returns error messages by parameter, from the violations in an error response. */
export function messagesByParameter(violations: readonly { pointer: string; message: string }[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>()
  for (const { pointer, message } of violations) {
    const name = decodePointerPart(pointer.split('/')[1] ?? '')
    if (!messages.has(name)) messages.set(name, message)
  }
  return messages
}

function decodePointerPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
