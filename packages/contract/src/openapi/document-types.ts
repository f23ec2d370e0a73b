/** The parts of OpenAPI 3.1 that the document uses. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; summary: string; description: string; license?: { name: string; identifier: string } }
  servers: Server[]
  security: SecurityRequirement[]
  tags: readonly { name: string; description: string }[]
  paths: Paths
  components: {
    securitySchemes: Record<string, object>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Response>
    examples: Record<string, Example>
    schemas: Record<string, Schema>
  }
}

export type Paths = Record<string, PathItem>
export type Schema = object
export type SecurityRequirement = Record<string, string[]>

export interface Reference {
  $ref: string
}

export interface Server {
  url: string
  description: string
}

export interface PathItem {
  servers?: Server[]
  get?: Operation
  head?: Operation
  post?: Operation
  put?: Operation
  patch?: Operation
  delete?: Operation
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: SecurityRequirement[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response | Reference>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<string, MediaType>
  links?: Record<string, Link>
}

export interface Header {
  description: string
  required?: boolean
  schema: Schema
}

export interface Link {
  operationId: string
  description: string
  parameters: Record<string, string>
}

export interface MediaType {
  schema?: Schema
  examples?: Record<string, Example | Reference>
}

export interface Example {
  summary: string
  description?: string
  value: unknown
}

export function reference(kind: keyof OpenApiDocument['components'], name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` }
}
