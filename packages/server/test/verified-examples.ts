import type { ErrorBody } from '@framegate/contract'
import { exampleRequestId, type Parameter } from '@framegate/contract/openapi'
import { apiDocument, findOperation, pointerOf, resolve, type Exchange, type FoundOperation } from './documented-responses.ts'

/**
 * Tracks which examples in the OpenAPI document are verified. An example is verified when a test
 * has sent it to a running server, or the server has returned it verbatim, except for request ids.
 */
export interface VerifiedExamples {
  /** Marks the examples that the exchange contains as verified. */
  record(exchange: Exchange): void
  /** JSON Pointers of all examples. */
  readonly all: readonly string[]
  /** JSON Pointers of the examples that no exchange has verified. */
  readonly unverified: readonly string[]
}

export function createVerifiedExamples(): VerifiedExamples {
  const examples = new Map(findExamples(apiDocument, []))
  const verified = new Set<string>()

  function verify(within: readonly string[], sentValue: unknown): void {
    const start = `${pointerOf(within)}/`
    const text = JSON.stringify(sentValue)
    for (const [pointer, value] of examples) {
      if (pointer.startsWith(start) && JSON.stringify(value) === text) verified.add(pointer)
    }
  }

  return {
    all: [...examples.keys()],
    get unverified() {
      return [...examples.keys()].filter((pointer) => !verified.has(pointer))
    },

    record(exchange) {
      const operation = findOperation(exchange)
      if (exchange.text !== '') {
        const body: unknown = JSON.parse(exchange.text)
        const response = exchange.status < 400 ? body : withExampleRequestId(body as ErrorBody)
        verify(['components', 'examples'], response)
        if (operation !== undefined) verify([...operation.pointer, 'responses', String(exchange.status)], response)
      }
      const { requestBody } = exchange
      if (requestBody !== undefined && statusesOfValidRequests.has(exchange.status)) {
        const body = JSON.parse(requestBody) as { simulate?: unknown }
        if (operation !== undefined) verify([...operation.pointer, 'requestBody'], body)
        verify(['components', 'examples'], body)
        verify(['components', 'schemas'], body)
        verify(['components', 'schemas'], body.simulate)
      }
      for (const [pointer, value] of operation === undefined ? [] : sentParameters(exchange, operation)) verify(pointer, value)
    },
  }
}

/**
 * Statuses of responses to valid requests: the request was accepted, or rejected for lack of
 * permission.
 */
const statusesOfValidRequests = new Set([200, 201, 202, 403])

/**
 * Returns the values of the operation's parameters in a request, in the format of the parameters'
 * examples.
 */
function sentParameters({ url, requestHeaders }: Exchange, operation: FoundOperation): [pointer: string[], value: unknown][] {
  const query = new URL(url).searchParams
  const pathValues = new Map(
    operation.path.split('/').map((part, index) => [part.slice(1, -1), operation.sentPath.split('/')[index]]),
  )
  return (operation.operation.parameters ?? []).map((_, index) => {
    const { pointer, value } = resolve([...operation.pointer, 'parameters', String(index)])
    const parameter = value as Parameter
    const { name, example } = parameter
    const text =
      parameter.in === 'query' ? query.get(name) : parameter.in === 'header' ? requestHeaders.get(name) : pathValues.get(name)
    return [pointer, typeof example === 'number' ? Number(text) : text]
  })
}

function* findExamples(value: unknown, path: readonly string[]): Generator<[pointer: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const fieldPath = [...path, name]
    // A property of a schema may have any name, including `examples`.
    if (path.at(-1) === 'properties') yield* findExamples(inner, fieldPath)
    else if (name === 'example') yield [pointerOf(fieldPath), inner]
    else if (name === 'examples') yield* examplesIn(inner, fieldPath)
    else yield* findExamples(inner, fieldPath)
  }
}

/**
 * Returns the examples at a position. A schema has a list of values; elsewhere examples have names,
 * each with a value or a reference.
 */
function* examplesIn(examples: object, path: readonly string[]): Generator<[pointer: string, value: unknown]> {
  for (const [name, example] of Object.entries(examples)) {
    const pointer = pointerOf([...path, name])
    if (Array.isArray(examples)) yield [pointer, example]
    else if ('value' in example) yield [pointer, example.value]
  }
}

function withExampleRequestId({ error }: ErrorBody): ErrorBody {
  return { error: { ...error, request_id: exampleRequestId } }
}
