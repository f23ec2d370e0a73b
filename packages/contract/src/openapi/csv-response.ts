import type { Response } from './document-types.ts'
import { headerReferences } from './json-response.ts'

export function csvResponse(description: string): Response {
  return { description, headers: headerReferences([]), content: { 'text/csv': { schema: { type: 'string' } } } }
}
