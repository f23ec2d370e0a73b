import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Accepted methods by path. A change of these methods in the service fails the test. */
const methodsByPath: Record<string, string[]> = {
  '/api/v2/model-center/tasks': ['GET', 'HEAD', 'POST', 'DELETE'],
  '/api/v2/model-center/tasks/quote': ['POST'],
  '/api/v2/model-center/tasks/:id': ['GET', 'HEAD', 'DELETE'],
  '/api/v2/model-center/tasks/:id/cancel': ['POST'],
  '/api/v2/model-center/models': ['GET', 'HEAD'],
  '/api/v2/model-center/models/:id': ['GET', 'HEAD'],
  ...Object.fromEntries(
    ['vidB', 'vidC', 'vidD', 'vidG', 'veo'].flatMap((family) => [
      [`/api/v1/${family}/videos`, ['POST']],
      [`/api/v1/${family}/videos/:id`, ['GET', 'HEAD']],
    ]),
  ),
  '/api/v2/credits': ['GET', 'HEAD'],
  '/api/v2/assets': ['GET', 'HEAD', 'POST'],
  '/api/v2/assets/import': ['POST'],
  '/api/v2/assets/:id': ['GET', 'HEAD', 'DELETE'],
  '/api/v2/credits/entries': ['GET', 'HEAD'],
  '/api/v2/credits/entries.csv': ['GET', 'HEAD'],
  '/api/v2/usage': ['GET', 'HEAD'],
  '/api/v2/usage.csv': ['GET', 'HEAD'],
  '/api/admin/v1/brands': ['GET', 'HEAD', 'POST'],
  '/api/admin/v1/brands/:id': ['GET', 'HEAD', 'PATCH'],
  '/api/admin/v1/brands/:id/models': ['GET', 'HEAD', 'POST'],
  '/api/admin/v1/brands/:id/models/:model': ['GET', 'HEAD'],
  '/api/admin/v1/brands/:id/default': ['POST'],
  '/api/admin/v1/accounts': ['GET', 'HEAD', 'POST'],
  '/api/admin/v1/accounts/:id': ['GET', 'HEAD', 'PATCH'],
  '/api/admin/v1/accounts/:id/keys': ['GET', 'HEAD', 'POST'],
  '/api/admin/v1/accounts/:id/grants': ['POST'],
  '/api/admin/v1/accounts/:id/grants/:reference': ['GET', 'HEAD'],
  '/api/admin/v1/accounts/:id/adjustments': ['POST'],
  '/api/admin/v1/accounts/:id/entries': ['GET', 'HEAD'],
  '/api/admin/v1/accounts/:id/tasks': ['DELETE'],
  '/api/admin/v1/accounts/:id/erase': ['POST'],
  '/api/admin/v1/accounts/:id/erasure': ['GET', 'HEAD'],
  '/api/admin/v1/tasks/:id': ['DELETE'],
  '/api/admin/v1/keys/:id': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/api/admin/v1/keys/:id/rotate': ['POST'],
  '/api/admin/v1/prices': ['GET', 'HEAD', 'POST'],
  '/api/admin/v1/prices/current': ['GET', 'HEAD'],
  '/api/admin/v1/upstreams': ['GET', 'HEAD'],
  '/api/admin/v1/upstreams/:name': ['PUT', 'DELETE'],
  '/api/admin/v1/routes': ['GET', 'HEAD'],
  '/api/admin/v1/routes/:name': ['PUT', 'DELETE'],
  '/api/admin/v1/routes/test': ['POST'],
  '/api/admin/v1/routes/explain': ['POST'],
  '/api/admin/v1/attempts': ['GET', 'HEAD'],
  '/api/admin/v1/attempts/:id': ['GET', 'HEAD'],
  '/api/admin/v1/attempts/:id/resolve': ['POST'],
  '/api/admin/v1/held-tasks': ['GET', 'HEAD'],
  '/api/admin/v1/held-tasks/:id/release': ['POST'],
  '/api/admin/v1/held-tasks/:id/fail': ['POST'],
  '/api/admin/v1/audit': ['GET', 'HEAD'],
  '/api/admin/v1/credits/verify': ['GET', 'HEAD'],
  '/api/callbacks/:route/:attempt/:token': ['POST'],
  '/api/media/:id': ['GET', 'HEAD'],
  '/api/openapi.json': ['GET', 'HEAD'],
  '/healthz': ['GET', 'HEAD'],
  '/readyz': ['GET', 'HEAD'],
  '/metrics': ['GET', 'HEAD'],
}
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY']

it.each(Object.entries(methodsByPath))(
  '%s responds to other methods with 405 and to OPTIONS with 204, and both responses have Allow',
  async (pattern, methods) => {
    const url = service.origin + pattern.replaceAll(/:\w+/g, 'x')
    const allow = [...methods, 'OPTIONS'].toSorted()
    for (const method of everyMethod.filter((name) => !methods.includes(name))) {
      const response = await service.request(method, url)
      expect([method, response.status]).toEqual([method, 405])
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allow)
      if (method !== 'HEAD')
        expect(response.json.error).toMatchObject({ code: 'method_not_allowed', type: 'invalid_request_error' })
    }
    const options = await service.request('OPTIONS', url, { key: null })
    expect([options.status, options.text, options.headers.get('x-request-id')]).toEqual([204, '', expect.any(String)])
    expect(options.headers.get('allow')?.split(', ').toSorted()).toEqual(allow)
  },
)

it('HEAD gets the response of GET without the body', async () => {
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'vidG_video3', prompt: 'x' } })).json
  const paths = Object.entries(methodsByPath)
    .filter(([, methods]) => methods.includes('HEAD'))
    .map(([pattern]) => service.origin + pattern.replace(':id', pattern.includes('models') ? 'imgA-5.0' : id))
  for (const url of [...paths, `${service.baseUrl}/v2/model-center/tasks/nothing`]) {
    const [get, head] = [await service.request('GET', url), await service.request('HEAD', url)]
    expect([url, head.status, head.text]).toEqual([url, get.status, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'retry-after']) {
      expect([url, name, head.headers.get(name)]).toEqual([url, name, get.headers.get(name)])
    }
    expect(head.headers.get('x-request-id')).toMatch(/^req_/)
  }
})

it('twenty concurrent requests get different request ids', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.request('GET', '/v2/credits')))
  expect(new Set(responses.map((response) => response.headers.get('x-request-id'))).size).toBe(20)
})
