import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createFramegate } from '../src/index.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service whose result links redirect, as those of a service with a bucket do. */
function startService(resultLocation: () => string, received: Map<string, IncomingHttpHeaders>): Promise<string> {
  return serve((request, response) => {
    const { pathname, origin } = new URL(request.url ?? '', `http://${request.headers.host}`)
    received.set(pathname, request.headers)
    const url = `${origin}/api/media/result`
    const bodies: Record<string, object> = {
      '/api/v2/model-center/models/m': {
        id: 'm',
        type: 'image',
        parameters: { properties: { prompt: {} } },
        fixed_resolution: null,
      },
      '/api/v2/model-center/tasks': { id: 'task_1', status: 'completed', result_url: url, results: [{ url, type: 'image/png' }] },
    }
    const body = bodies[pathname]
    if (body !== undefined) response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    else if (pathname === '/api/media/moved') response.end('moved')
    else response.writeHead(302, { Location: resultLocation() }).end()
  })
}

async function generate(baseURL: string): Promise<string[]> {
  const provider = createFramegate({ apiKey: 'key', baseURL: `${baseURL}/api`, headers: { 'X-Proxy-Token': 'secret' } })
  const { images } = await provider.image('m').doGenerate({
    prompt: 'x',
    n: 1,
    size: undefined,
    aspectRatio: undefined,
    seed: undefined,
    files: undefined,
    mask: undefined,
    providerOptions: {},
    headers: { 'X-Call-Token': 'secret' },
  })
  return images.map((bytes) => Buffer.from(bytes).toString())
}

it('a host to which a result link redirects does not receive the headers of the provider and of the call', async () => {
  let bucketHeaders: IncomingHttpHeaders | undefined
  const bucket = await serve((request, response) => {
    bucketHeaders = request.headers
    response.end('bytes')
  })
  const received = new Map<string, IncomingHttpHeaders>()
  const service = await startService(() => `${bucket}/object?signature=x`, received)
  expect(await generate(service)).toEqual(['bytes'])
  expect(received.get('/api/media/result')).toMatchObject({ 'x-proxy-token': 'secret', 'x-call-token': 'secret' })
  expect(Object.keys(bucketHeaders ?? {}).filter((name) => name.startsWith('x-'))).toEqual([])
})

it('a redirect of a result link within the service keeps the headers', async () => {
  const received = new Map<string, IncomingHttpHeaders>()
  const service = await startService(() => 'moved?x=1', received)
  expect(await generate(service)).toEqual(['moved'])
  expect(received.get('/api/media/moved')).toMatchObject({ 'x-proxy-token': 'secret' })
})
