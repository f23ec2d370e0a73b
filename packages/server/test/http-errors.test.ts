import { ErrorBodySchema } from '@framegate/contract/schemas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changed, openHttpService, type HttpResponse, type HttpService, type RequestOptions } from './http-service.ts'
import { schemaViolations } from './schema-violations.ts'

const tasksPath = '/v2/model-center/tasks'
const quotePath = `${tasksPath}/quote`
const jsonHeaders = { 'content-type': 'application/json' }
const body = { model: 'imgA-5.0', prompt: 'A paper boat' }
const bodyBytesMax = 100_000
let service: HttpService

beforeAll(async () => {
  service = await openHttpService({ limits: { imagesBodyBytesMax: bodyBytesMax, bodyBytesMax: bodyBytesMax / 2 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

function expectError(response: HttpResponse, status: number, type: string, code: string, param: string | null = null): void {
  expect(response.json).toMatchObject({ error: { type, code, param } })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(Object.keys(response.json)).toEqual(['error'])
  expect(schemaViolations(ErrorBodySchema, response.json)).toEqual([])
  expect(response.json.error.message).toMatch(/\w{2,} \w/)
  expect(response.headers.get('x-request-id')).toBe(response.json.error.request_id)
}

type Case = [name: string, options: RequestOptions, status: number, code: string, param?: string]

describe('request bodies that cannot be read', () => {
  const cases: Case[] = [
    ['malformed JSON', { rawBody: '{"model": ', headers: jsonHeaders }, 400, 'invalid_json'],
    ['an empty body', { rawBody: '', headers: jsonHeaders }, 400, 'invalid_json'],
    ['no body at all', {}, 400, 'invalid_json'],
    ['an array', { body: [body] }, 400, 'invalid_json'],
    ['null', { body: null }, 400, 'invalid_json'],
    ['a string', { body: 'model' }, 400, 'invalid_json'],
    ['invalid UTF-8', { rawBody: Buffer.from('{"model":"\xff"}', 'latin1'), headers: jsonHeaders }, 400, 'invalid_json'],
    ['too deep', { rawBody: '['.repeat(50_000), headers: jsonHeaders }, 400, 'invalid_json'],
    [
      'deep in a field',
      { rawBody: `{"prompt":${'{"a":'.repeat(30)}1${'}'.repeat(30)}}`, headers: jsonHeaders },
      400,
      'invalid_json',
    ],
    [
      'a form',
      { rawBody: 'model=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    ['text', { rawBody: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['no content type', { rawBody: Buffer.from('{}') }, 415, 'unsupported_media_type'],
    ['a broken content type', { rawBody: '{}', headers: { 'content-type': ';;' } }, 415, 'unsupported_media_type'],
    [
      'another charset',
      { rawBody: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a compressed body',
      { rawBody: 'xx', headers: { ...jsonHeaders, 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
    ['too many bytes', { body: { prompt: 'x'.repeat(bodyBytesMax) } }, 413, 'body_too_large'],
  ]
  it.each(cases)('a request body is rejected: %s', async (_name, options, status, code) => {
    for (const path of [tasksPath, quotePath, '/v1/vidC/videos']) {
      expectError(await service.request('POST', path, options), status, 'invalid_request_error', code)
    }
  })

  it('a chunked body of too many bytes is rejected', async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(10_000, 'x'))
    const response = await service.request('POST', tasksPath, {
      rawBody: ReadableStream.from(chunks) as ReadableStream,
      headers: jsonHeaders,
    })
    expectError(response, 413, 'invalid_request_error', 'body_too_large')
  })

  it('a body over the limit gets 413 also while the client is still sending many megabytes', async () => {
    const response = await service.request('POST', tasksPath, { rawBody: Buffer.alloc(20_000_000, 'x'), headers: jsonHeaders })
    expectError(response, 413, 'invalid_request_error', 'body_too_large')
  })

  it('a JSON body with a charset and surrounding white space is read', async () => {
    const response = await service.request('POST', tasksPath, {
      rawBody: ` \n${JSON.stringify(body)}\n`,
      headers: { 'content-type': 'application/json;charset="UTF-8"' },
    })
    expect(response.status).toBe(202)
  })
})

describe('requests that are rejected', () => {
  const cases: Case[] = [
    ['a missing model', { body: { prompt: 'x' } }, 400, 'invalid_parameter', 'model'],
    ['a model that is no string', { body: { model: 5 } }, 400, 'invalid_parameter', 'model'],
    ['an unknown model', { body: { model: 'imgB', prompt: 'x' } }, 404, 'model_not_found', 'model'],
    ['a missing prompt', { body: { model: 'imgA-5.0' } }, 400, 'invalid_parameter', 'prompt'],
    ['an empty prompt', { body: { ...body, prompt: '' } }, 400, 'invalid_parameter', 'prompt'],
    ['a number as text', { body: { ...body, seed: '7' } }, 400, 'invalid_parameter', 'seed'],
    ['a misspelled parameter', { body: { ...body, aspectratio: '1:1' } }, 400, 'unknown_parameter', 'aspectratio'],
    [
      'a key __proto__',
      { rawBody: '{"model":"imgA-5.0","prompt":"x","__proto__":{"a":1}}', headers: jsonHeaders },
      400,
      'unknown_parameter',
      '__proto__',
    ],
    [
      'a private address',
      { body: { ...body, reference_images: ['http://127.0.0.1/x.png'] } },
      400,
      'reference_unreachable',
      'reference_images',
    ],
    ['a model that is not granted', { body: { model: 'imgA_5.0Pro' } }, 403, 'brand_model_missing', 'model'],
    ['an empty idempotency key', { body, headers: { 'idempotency-key': '' } }, 400, 'invalid_parameter', 'Idempotency-Key'],
    [
      'a long idempotency key',
      { body, headers: { 'idempotency-key': 'x'.repeat(256) } },
      400,
      'invalid_parameter',
      'Idempotency-Key',
    ],
    ['no JSON accepted', { body, headers: { accept: 'text/html' } }, 406, 'not_acceptable'],
  ]
  const types: Record<number, string> = { 403: 'permission_error', 404: 'not_found_error' }
  it.each(cases)('a request is rejected with its error code: %s', async (_name, options, status, code, param) => {
    const type = types[status] ?? 'invalid_request_error'
    expectError(await service.request('POST', tasksPath, options), status, type, code, param)
  })

  it('an error lists every violation with its pointer', async () => {
    const response = await service.request('POST', tasksPath, { body: { ...body, seed: -1, resolution: '9K' } })
    expect(response.json.error.errors.map((violation: { pointer: string }) => violation.pointer).toSorted()).toEqual([
      '/resolution',
      '/seed',
    ])
  })

  it.each([
    ['an invalid parameter', { seed: -1 }, ['/seed', '/max_amount', '/webhook_url', '/simulate/outcome', '/improve_prompt']],
    ['valid parameters', {}, ['/simulate/outcome', '/max_amount', '/webhook_url', '/improve_prompt']],
  ])('an error lists the violations of every other field of the body too: %s', async (_name, parameters, pointers) => {
    const settings = { max_amount: -1, webhook_url: 'ftp://example.com', simulate: { outcome: 'x' }, improve_prompt: 'yes' }
    for (const path of [tasksPath, quotePath]) {
      const response = await service.request('POST', path, { body: { ...body, ...settings, ...parameters } })
      expectError(response, 400, 'invalid_request_error', 'invalid_parameter', pointers[0]?.split('/')[1])
      const listed = response.json.error.errors.map((violation: { pointer: string }) => violation.pointer)
      expect(listed.toSorted()).toEqual(pointers.toSorted())
    }
  })

  it('the error for a local path as an image names the accepted forms', async () => {
    const response = await service.request('POST', tasksPath, { body: { ...body, reference_images: ['./boat.png'] } })
    expectError(response, 400, 'invalid_request_error', 'invalid_parameter', 'reference_images')
    expect(response.json.error.message).toMatch(
      /URL that starts with .*, a data URI, or asset: followed by .* got ".\/boat\.png"/,
    )
  })

  it('an error quotes only the beginning of a long name', async () => {
    const response = await service.request('POST', tasksPath, { body: { ...body, ['x'.repeat(90_000)]: 1 } })
    expectError(response, 400, 'invalid_request_error', 'unknown_parameter', `${'x'.repeat(200)}…`)
    expect(response.text.length).toBeLessThan(2_000)
  })

  it('a model that is named by its display name is rejected with its Model ID', async () => {
    const response = await service.request('POST', tasksPath, { body: { model: 'ImgA 5.0', prompt: 'x' } })
    expectError(response, 404, 'not_found_error', 'model_not_found', 'model')
    expect(response.json.error.message).toContain('imgA-5.0')
  })

  it('an error for missing credits names the price and the balance, and nothing is charged', async () => {
    const { key } = await service.newAccount(0.02)
    const response = await service.request('POST', tasksPath, { body, key })
    expectError(response, 402, 'insufficient_credits_error', 'insufficient_credits')
    expect(response.json.error.message).toMatch(/0\.04.*0\.02/)
    expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 0.02, held: 0 })
  })

  it('the key is checked before the body, and the availability of the model before the parameters', async () => {
    const wrongInAll = { rawBody: 'x', headers: jsonHeaders, key: 'wrong' }
    expectError(await service.request('POST', tasksPath, wrongInAll), 401, 'authentication_error', 'invalid_api_key')
    const unavailableModel = { body: { model: 'imgA_5.0Pro', nonsense: 1 } }
    expectError(
      await service.request('POST', tasksPath, unavailableModel),
      403,
      'permission_error',
      'brand_model_missing',
      'model',
    )
  })
})

describe('unknown and malformed paths', () => {
  it.each(['/nothing', '/v2/model-center', '/v1/vidC/videos/a/b', '/v3/model-center/tasks'])(
    'an unknown path gets 404 with every method: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PATCH']) {
        expectError(await service.request(method, path, { key: null }), 404, 'not_found_error', 'route_not_found')
      }
    },
  )

  it('a malformed percent-encoding in a path gets 400', async () => {
    for (const path of [`${tasksPath}/%zz`, `${tasksPath}/%ff`, '/v2/model-center/models/%e0%a4']) {
      expectError(await service.request('GET', path), 400, 'invalid_request_error', 'invalid_request')
    }
  })

  it.each(['x', 'task_1', '..%2F..%2Fetc%2Fpasswd', 'y'.repeat(200), '%00', '🦊'])(
    'the unknown or malformed task id %s gets 404',
    async (id) => {
      expectError(await service.request('GET', `${tasksPath}/${id}`), 404, 'not_found_error', 'task_not_found')
      expectError(await service.request('GET', `/v1/vidC/videos/${id}`), 404, 'not_found_error', 'task_not_found')
      expectError(await service.request('POST', `${tasksPath}/${id}/cancel`), 404, 'not_found_error', 'task_not_found')
    },
  )
})

it('a submit that the store cannot accept gets 503 with Retry-After', async () => {
  await using fullService = await openHttpService({
    changeStore: (store) => changed(store, { accept: async () => ({ kind: 'overloaded' }) }),
  })
  const response = await fullService.request('POST', tasksPath, { body })
  expectError(response, 503, 'server_error', 'overloaded')
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})

it('an internal error gets 500 without its message, which is in the log with the request id', async () => {
  const logged: string[] = []
  const { default: pino } = await import('pino')
  const secret = 'upstream-secret /etc/framegate'
  await using broken = await openHttpService({
    logger: pino({ level: 'error' }, { write: (line: string) => logged.push(line) }),
    changeStore: (store) =>
      changed(store, {
        accept: async () => ({ kind: 'failed', cause: new Error(secret) }),
        list: () => Promise.reject(new Error(secret)),
        peek: () => {
          throw new Error(secret)
        },
      }),
  })
  const responses = [
    await broken.request('POST', tasksPath, { body }),
    await broken.request('GET', tasksPath),
    await broken.request('GET', `${tasksPath}/task_x`),
  ]
  for (const response of responses) {
    expectError(response, 500, 'server_error', 'internal_error')
    expect(response.text).not.toMatch(/secret|framegate|Error|\.ts/)
    expect(logged.some((line) => line.includes(secret) && line.includes(response.json.error.request_id))).toBe(true)
  }
})

it('a request is logged at debug without its query and key', async () => {
  const logged: string[] = []
  const { default: pino } = await import('pino')
  await using service = await openHttpService({
    logger: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
  })
  const { headers } = await service.request('GET', '/v2/credits?signature=sesame')
  await service.request('GET', '/healthz?signature=sesame')
  const line = logged.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === headers.get('x-request-id'))
  expect(line).toMatchObject({ method: 'GET', path: '/api/v2/credits', status: 200, durationMs: expect.any(Number) })
  expect(logged.join('')).not.toMatch(/sesame|fg_live_/)
})
