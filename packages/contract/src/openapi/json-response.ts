import { reference, type Example, type Link, type Reference, type Response, type Schema } from './document-types.ts'
import { commonHeaders, type ResponseHeader } from './headers.ts'

export interface JsonResponse {
  description: string
  schema: Schema
  headers?: readonly ResponseHeader[]
  examples: Record<string, Example | Reference>
  links?: Record<string, Link>
}

export function jsonResponse({ description, schema, headers = [], examples, links }: JsonResponse): Response {
  return {
    description,
    headers: headerReferences(headers),
    content: { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } },
    ...(links && { links }),
  }
}

export function headerReferences(names: readonly ResponseHeader[]): Record<string, Reference> {
  return Object.fromEntries([...commonHeaders, ...names].map((name) => [name, reference('headers', name)]))
}
