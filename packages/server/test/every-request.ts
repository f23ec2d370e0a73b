import type { Operation, Parameter } from '@framegate/contract/openapi'
import { apiDocument } from './documented-responses.ts'

/** Ids and names for the requests, whether or not the objects exist. */
export interface Resources {
  taskId: string
  /** Object key of a result's file. */
  objectKey: string
  uploadId: string
  webhookId: string
  accountId: string
  cursor: string
  etag: string
  idempotencyKey: string
}

/** Well-formed ids and names of objects that do not exist. */
export const unknownResources: Resources = {
  taskId: 'task_0197c0d100007000800000000000000a',
  objectKey: 'task_0197c0d100007000800000000000000a.mp4',
  uploadId: 'asset_0197c0d100007000800000000000000a',
  webhookId: 'wh_00000000000000000000000000000000',
  accountId: 'acct_00000000000000000000000000000000',
  cursor: 'AZfA0QAAcACAAAAAAAAACg',
  etag: 'W/"7-1"',
  idempotencyKey: 'nobody-1',
}

export interface DocumentedRequest {
  method: string
  /** The path, relative to the origin. */
  path: string
  headers: Record<string, string>
  body: unknown
  needsKey: boolean
  /**
   * Whether the path contains the id or name of an object of an account. Model IDs do not count.
   */
  hasResourceId: boolean
}

/** The stream of account events, which never ends. `http-streams.test.ts` tests it. */
const endlessPath = '/v2/events'

/**
 * Returns one request for every operation in the OpenAPI document except the endless stream, with
 * the given ids and names wherever possible.
 */
export function everyRequest(resources: Resources): DocumentedRequest[] {
  const paths = Object.entries(apiDocument.paths).filter(([template]) => template !== endlessPath)
  return paths.flatMap(([template, { servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parameters = parametersOf(operation)
      const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
      const path = pathParameters.reduce(
        (text, { name }) => text.replace(`{${name}}`, resourceNamed(template, name, resources)),
        template,
      )
      const query = queryNaming(template, parameters, resources)
      return {
        method: method.toUpperCase(),
        path: (servers === undefined ? '/api' : '') + path + query,
        headers: {
          ...Object.fromEntries(parameters.flatMap(({ name }) => headerNamed(name, resources))),
          ...bytesTypeOf(operation),
        },
        body: exampleBody(operation),
        needsKey: operation.security?.length !== 0,
        hasResourceId: pathParameters.length > 0 && !template.includes('/models/'),
      }
    }),
  )
}

function parametersOf(operation: Operation): Parameter[] {
  return (operation.parameters ?? []).map((wireParameter) => {
    const parameter =
      '$ref' in wireParameter ? apiDocument.components.parameters[wireParameter.$ref.split('/').at(-1) ?? ''] : wireParameter
    if (parameter === undefined) throw new Error(`${operation.operationId} refers to a parameter that the document does not have`)
    return parameter
  })
}

function queryNaming(template: string, parameters: readonly Parameter[], resources: Resources): string {
  const acceptsParameter = (parameter: string) => parameters.some(({ name }) => name === parameter)
  if (acceptsParameter('task')) return `?task=${resources.taskId}`
  return acceptsParameter('cursor') && !template.endsWith('/models') ? `?cursor=${resources.cursor}` : ''
}

function resourceNamed(template: string, name: string, resources: Resources): string {
  if (template.startsWith('/admin/')) return resources.accountId
  if (template.includes('/models/')) return 'imgA-5.0'
  if (template.startsWith('/v2/assets/')) return resources.uploadId
  if (name === 'delivery') return 'whd_00000000000000000000000000000000'
  if (template.startsWith('/v2/webhooks/')) return resources.webhookId
  if (name === 'asset') return `${resources.objectKey}?expires=9999999999&signature=${'A'.repeat(43)}`
  if (template.includes('/tasks/') || template.includes('/videos/')) return resources.taskId
  if (template.startsWith('/callbacks/')) return name === 'attempt' ? `${resources.taskId}_1` : '1'
  throw new Error(`add a value for {${name}} in ${template} here, so that the isolation of accounts is tested there too`)
}

function headerNamed(name: string, resources: Resources): [name: string, value: string][] {
  if (name === 'If-None-Match') return [[name, resources.etag]]
  if (name in uploadHeaders) return [[name, uploadHeaders[name] ?? '']]
  return name === 'Idempotency-Key' ? [[name, resources.idempotencyKey]] : []
}

const uploadHeaders: Readonly<Record<string, string>> = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Offset': '0',
}

/**
 * Returns the Content-Type header for an operation whose request body is a file. The operation
 * rejects other content types before any other check.
 */
function bytesTypeOf({ requestBody }: Operation): Record<string, string> {
  const type = Object.keys(requestBody?.content ?? {}).find((name) => name.endsWith('octet-stream'))
  return type === undefined ? {} : { 'content-type': type }
}

function exampleBody({ requestBody }: Operation): unknown {
  const [firstExample] = Object.values(requestBody?.content['application/json']?.examples ?? {})
  if (firstExample === undefined) return undefined
  return '$ref' in firstExample
    ? apiDocument.components.examples[firstExample.$ref.split('/').at(-1) ?? '']?.value
    : firstExample.value
}
