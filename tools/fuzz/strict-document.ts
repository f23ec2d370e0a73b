import type { openApiDocument } from '../../packages/contract/src/openapi/document.ts'

type OpenApiDocument = ReturnType<typeof openApiDocument>

/** Statuses that the response `default` describes: errors before a route is selected. */
const anywhereStatuses = ['405', '408', '431']

/**
 * Returns a strict copy of a service's OpenAPI document: only the statuses listed in an operation
 * and the fields listed in a schema are allowed. Its paths start at the origin.
 */
export function strictDocument(document: OpenApiDocument, basePath: string): unknown {
  const paths = Object.entries(document.paths).map(([path, { servers, ...operations }]) => [
    servers === undefined ? basePath + path : path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, withListedStatuses(operation)])),
  ])
  const { schemas, ...components } = document.components
  return {
    ...document,
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: withoutOtherFields(schemas) },
  }
}

function withListedStatuses<Described extends { responses: Record<string, unknown> }>(operation: Described): Described {
  const { default: defaultResponse, ...responses } = operation.responses
  const defaultResponses = defaultResponse === undefined ? [] : anywhereStatuses.map((status) => [status, defaultResponse])
  return { ...operation, responses: { ...Object.fromEntries(defaultResponses), ...responses } }
}

function withoutOtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherFields)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOtherFields(inner)]))
  const isOpen = typeof copy['properties'] === 'object' && 'type' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}
