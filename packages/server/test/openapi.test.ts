import { readFileSync } from 'node:fs'
import type { Operation, Response } from '@framegate/contract/openapi'
import { ParameterReferenceSchema } from '@framegate/contract/schemas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCatalogue } from '../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../src/catalogue/default-families.ts'
import { apiDocument } from './documented-responses.ts'
import { schemaViolations } from './schema-violations.ts'
import { openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

it('the OpenAPI document is served without a key, and is the same as in docs/', async () => {
  const response = await service.request('GET', '/openapi.json', { key: null })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(response.json).toEqual(JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')))
  const etag = response.headers.get('etag') ?? ''
  const repeated = await service.request('GET', '/openapi.json', { key: null, headers: { 'if-none-match': etag } })
  expect([repeated.status, repeated.text]).toEqual([304, ''])
})

it('the OpenAPI document has every existing route and no others', () => {
  const routes = routesOf(service.app.printRoutes({ commonPrefix: false }))
  const documented = Object.entries(apiDocument.paths).flatMap(([path, item]) => {
    const address = (item.servers === undefined ? '/api' : '') + path.replaceAll(/\{\w+\}/g, '{}')
    const methods = [
      item.get && ['GET', 'HEAD'],
      item.post && ['POST'],
      item.put && ['PUT'],
      item.patch && ['PATCH'],
      item.delete && ['DELETE'],
    ].flatMap((operations) => operations ?? [])
    return methods.map((method) => `${method} ${address}`)
  })
  const pagePattern = /^(GET|HEAD) \/api\/docs(\/|$)/
  expect(routes.filter((route) => !undocumented.has(route) && !pagePattern.test(route)).toSorted()).toEqual(documented.toSorted())
})

it('no optional parameter of the OpenAPI document has an example, because API browsers fill examples into requests', async () => {
  const { json } = await service.request('GET', '/openapi.json', { key: null })
  const withExample: string[] = []
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('in' in part && 'name' in part && 'example' in part && !('required' in part)) withExample.push(String(part.name))
    for (const value of Object.values(part)) collect(value)
  }
  collect([json.paths, json.components.parameters])
  expect(withExample).toEqual([])
})

it('the operations that can reject an Idempotency-Key are those that list it as a parameter', () => {
  const operations = Object.values(apiDocument.paths).flatMap(({ get, post, put, patch, delete: remove }) => [
    get,
    post,
    put,
    patch,
    remove,
  ])
  const idsOf = (matches: (operation: Operation) => boolean) =>
    operations.flatMap((operation) => (operation !== undefined && matches(operation) ? [operation.operationId] : []))
  const ids = idsOf(({ parameters }) => refersTo(parameters, 'parameters/IdempotencyKey'))
  expect(ids).toContain('openAiCreateVideo')
  expect(ids).toEqual(idsOf(({ responses }) => refersTo(responses['409'], 'responses/KeyReused')))
})

function refersTo(part: unknown, componentPrefix: string): boolean {
  return JSON.stringify(part ?? null).includes(`"#/components/${componentPrefix}`)
}

/**
 * Parses the tree of routes that Fastify prints. Each line has the part of the path that follows
 * the parent's path, and is indented by four characters more than the parent.
 */
function routesOf(tree: string): string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^(.*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? []
    if (part === '') return []
    const path = (parents[indent.length / 4 - 1] ?? '') + part.replaceAll(/:\w+/g, '{}')
    parents[indent.length / 4] = path
    return methods === undefined ? [] : methods.split(', ').map((method) => `${method} ${path}`)
  })
}

/**
 * Routes that are not in the document: routes that only reject a wrong method, OPTIONS of the tus
 * protocol, and the endpoint of MCP, whose protocol describes its messages.
 */
const undocumented = new Set([
  'POST /api/mcp',
  'PATCH /api/v2/webhooks/secret',
  'DELETE /api/v2/webhooks/secret',
  'DELETE /api/v2/assets/uploads',
  'OPTIONS /api/v2/assets/uploads',
  'OPTIONS /api/v2/assets/uploads/{}',
  'GET /api/v2/assets/import',
  'HEAD /api/v2/assets/import',
  'DELETE /api/v2/assets/import',
  'PUT /api/admin/v1/routes/test',
  'DELETE /api/admin/v1/routes/test',
  'PUT /api/admin/v1/routes/explain',
  'DELETE /api/admin/v1/routes/explain',
  'GET /api/v2/model-center/tasks/quote',
  'DELETE /api/v2/model-center/tasks/quote',
  'HEAD /api/v2/model-center/tasks/quote',
])

it('the OpenAPI document has the parameters of every model, as the catalogue checks and shows them', async () => {
  const { schemas } = apiDocument.components
  for (const model of createCatalogue(defaultFamilies).models) {
    const view = (await service.request('GET', `/v2/model-center/models/${encodeURIComponent(model.id)}`)).json
    expect(view.parameters).toMatchObject(model.parameters)
    const name = model.id.replaceAll(/[^A-Za-z0-9]+/g, '_')
    expect(schemas[name]).toMatchObject(model.parameters)
    expect(schemaViolations(ParameterReferenceSchema, view.parameters)).toEqual([])
  }
})

it('the document has a format for every number, and allows any JSON Schema as the parameters of a model', () => {
  const withoutFormat: string[] = []
  function visit(node: unknown, pointer: string): void {
    if (typeof node !== 'object' || node === null) return
    const { type, format } = node as { type?: unknown; format?: unknown }
    const types = new Set<unknown>([type].flat())
    if (types.has('integer') && format !== 'int64') withoutFormat.push(pointer)
    if (types.has('number') && format !== 'double') withoutFormat.push(pointer)
    for (const [key, value] of Object.entries(node)) {
      if (!['example', 'examples', 'default'].includes(key) || pointer.endsWith('/properties')) visit(value, `${pointer}/${key}`)
    }
  }
  visit(apiDocument, '')
  expect(withoutFormat).toEqual([])
  const { parameters } = (apiDocument.components.schemas['Model'] as { properties: Record<string, object> }).properties
  expect(parameters).toEqual({ type: 'object', additionalProperties: true, description: expect.any(String) })
})

it('the document names at most one content type for each request body and response, except for result files', () => {
  const several = Object.entries(apiDocument.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ requestBody, responses = {} }: Partial<Operation>) =>
      [requestBody, ...Object.values(responses)].flatMap((part) => {
        const types = Object.keys((part as Response | undefined)?.content ?? {})
        return types.length > 1 ? [`${path}: ${types.join(', ')}`] : []
      }),
    ),
  )
  expect(several.filter((operation) => !operation.startsWith('/media/'))).toEqual([])
})

it('the document has no array of unique enum values, which generators cannot express', () => {
  const pointers: string[] = []
  function visit(node: unknown, pointer: string): void {
    if (typeof node !== 'object' || node === null) return
    if ('uniqueItems' in node && 'enum' in ((node as { items?: object }).items ?? {})) pointers.push(pointer)
    for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${key}`)
  }
  visit(apiDocument, '')
  expect(pointers).toEqual([])
})

it('the document has no simulations in production mode', async () => {
  expect(JSON.stringify(apiDocument)).toContain('"simulate"')
  await using production = await openHttpService({ mode: 'production' })
  const { text } = await production.request('GET', '/openapi.json', { key: null })
  expect(text).not.toContain('"simulate"')
})

it('the document follows the base path', async () => {
  await using serviceAtRoot = await openHttpService({ basePath: '' })
  const { json } = await serviceAtRoot.request('GET', '/openapi.json', { key: null })
  expect(json.servers).toEqual([{ url: '/', description: expect.any(String) }])
})
