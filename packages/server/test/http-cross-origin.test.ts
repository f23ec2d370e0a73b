import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const page = 'https://studio.example.com'

/** Returns the CORS headers of a response, and `Vary`. */
const permissionsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'))

const sendPreflight = (service: HttpService, path: string, origin: string) =>
  service.request('OPTIONS', path, {
    key: null,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

describe('cross-origin requests by default', () => {
  let service: HttpService
  beforeAll(async () => {
    service = await openHttpService()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  it('no page of another origin may call the API by default', async () => {
    const preflight = await sendPreflight(service, '/v2/model-center/tasks', page)
    expect([preflight.status, permissionsOf(preflight.headers)]).toEqual([204, {}])
    const read = await service.request('GET', '/v2/credits', { headers: { origin: page } })
    expect([read.status, permissionsOf(read.headers)]).toEqual([200, {}])
  })

  it('every page may read a result, request a range of it, and read the error for an invalid link', async () => {
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    await service.startAll()
    await service.complete(id)
    const link = (await service.request('GET', `/v2/model-center/tasks/${id}`)).json.result_url as string
    for (const address of [link, `${link}0`]) {
      const { headers } = await service.fetch(address, { headers: { origin: page } })
      expect(permissionsOf(headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('Content-Range, ETag'),
      })
    }
    const preflight = await sendPreflight(service, link, page)
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['Range', 'If-Range']),
    )
  })
})

describe('cross-origin requests with a list of origins', () => {
  let service: HttpService
  beforeAll(async () => {
    service = await openHttpService({ corsOrigins: [page, 'http://localhost:5173'] })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  it.each([page, 'http://localhost:5173'])('a listed origin may read responses and errors: %s', async (origin) => {
    const preflight = await sendPreflight(service, '/v2/model-center/tasks', origin)
    expect([preflight.status, permissionsOf(preflight.headers)]).toEqual([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Mcp-Method, Mcp-Name, ' +
          'Mcp-Protocol-Version, OpenAI-Organization, OpenAI-Project, Prefer, Range, Tus-Resumable, ' +
          'Upload-Length, Upload-Metadata, Upload-Offset, X-Stainless-Arch, X-Stainless-Lang, X-Stainless-OS, ' +
          'X-Stainless-Package-Version, X-Stainless-Retry-Count, X-Stainless-Runtime, X-Stainless-Runtime-Version, ' +
          'X-Stainless-Timeout',
        'access-control-max-age': '3600',
        vary: 'Origin',
      },
    ])
    for (const [path, status] of [
      ['/v2/credits', 200],
      ['/v2/model-center/tasks/nothing', 404],
      ['/nothing', 404],
    ] as const) {
      const read = await service.request('GET', path, { headers: { origin } })
      expect([path, read.status, permissionsOf(read.headers)]).toEqual([
        path,
        status,
        {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': expect.stringMatching(/Retry-After, .*Upload-Offset, X-Request-Id$/),
          vary: 'Origin',
        },
      ])
    }
  })

  it('a page of a listed origin may send the headers with which clients resume a stream and mark a retry', async () => {
    const { headers } = await sendPreflight(service, '/v2/events', page)
    const allowedNames = headers.get('access-control-allow-headers')?.split(', ')
    // The clients are the SDK, which resumes streams with fetch, and OpenAI's npm client.
    const clientHeaders = ['Last-Event-ID', 'OpenAI-Project', 'X-Stainless-Retry-Count', 'X-Stainless-Runtime-Version']
    expect(allowedNames).toEqual(expect.arrayContaining(clientHeaders))
    const read = await service.request('GET', '/v1/models', { headers: { origin: page } })
    const exposedNames = read.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposedNames).toEqual(expect.arrayContaining(['openai-poll-after-ms', 'x-should-retry']))
  })

  it.each(['https://evil.example', `${page}.evil.example`, 'null', 'http://studio.example.com'])(
    'an unlisted origin is not admitted: %s',
    async (origin) => {
      const preflight = await sendPreflight(service, '/v2/model-center/tasks', origin)
      expect(permissionsOf(preflight.headers)).toEqual({ vary: 'Origin' })
      const read = await service.request('GET', '/v2/credits', { headers: { origin } })
      expect(permissionsOf(read.headers)).toEqual({ vary: 'Origin' })
    },
  )
})

it('every origin is admitted if the setting is *, but never with credentials', async () => {
  await using service = await openHttpService({ corsOrigins: '*' })
  const preflight = await sendPreflight(service, '/v2/model-center/tasks', page)
  expect(permissionsOf(preflight.headers)).toMatchObject({ 'access-control-allow-origin': '*' })
  const read = await service.request('GET', '/v2/credits', { headers: { origin: page } })
  expect(permissionsOf(read.headers)).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.any(String),
  })
})
