import type { openApiDocument } from '../../packages/contract/src/openapi/document.ts'

type Document = ReturnType<typeof openApiDocument>

/** Statuses that `default` stands for: refusals of requests that reached no route. */
const anywhereStatuses = ['405', '408', '431']

/**
 * The strictest reading of a service's document: only the statuses that an operation names, and
 * only the fields that a schema names. Paths start at the origin.
 */
export function strictDocument(document: Document, basePath: string): unknown {
  const paths = Object.entries(document.paths).map(([path, { servers, ...operations }]) => [
    servers === undefined ? basePath + path : path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, narrowed(operation)])),
  ])
  const { schemas, ...components } = document.components
  return {
    ...document,
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: closed(schemas) },
  }
}

function narrowed<Described extends { responses: Record<string, unknown> }>(operation: Described): Described {
  const { default: anywhere, ...responses } = operation.responses
  const implied = anywhere === undefined ? [] : anywhereStatuses.map((status) => [status, anywhere])
  return { ...operation, responses: { ...Object.fromEntries(implied), ...responses } }
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
  const isOpen = typeof copy['properties'] === 'object' && 'type' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}
