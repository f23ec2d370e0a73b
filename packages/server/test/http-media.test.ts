import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, resultUrlTtlSeconds, type HttpService } from './http-service.ts'

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
let service: HttpService
let id: string
let url: string

beforeAll(async () => {
  service = await openHttpService()
  id = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'vidG_video3', prompt: 'x' } })).json.id
  await service.startAll()
  await service.complete(id, { bytes, durationMs: 6000 })
  url = (await service.request('GET', `/v2/model-center/tasks/${id}`)).json.result_url
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const get = (headers: Record<string, string> = {}, address = url, method = 'GET') => service.fetch(address, { method, headers })

it('a result link serves the file without a key', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '1000',
    'content-disposition': `inline; filename="${id}.mp4"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'accept-ranges': 'bytes',
    'x-request-id': expect.stringMatching(/^req_/),
  })
  const maxAge = Number(/max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1])
  expect(maxAge).toBeGreaterThan(resultUrlTtlSeconds - 60)
  expect(maxAge).toBeLessThanOrEqual(resultUrlTtlSeconds + 60)
})

it('a result link supports HEAD, ranges and conditional requests', async () => {
  const head = await get({}, url, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1000', ''])
  const partResponse = await get({ range: 'bytes=10-19' })
  expect([partResponse.status, partResponse.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000'])
  expect(Buffer.from(await partResponse.arrayBuffer())).toEqual(bytes.subarray(10, 20))
  const etag = head.headers.get('etag') ?? ''
  const notModified = await get({ 'if-none-match': etag })
  expect([notModified.status, await notModified.text()]).toEqual([304, ''])
  expect(notModified.headers.get('x-request-id')).toMatch(/^req_/)
  const beyondEnd = await get({ range: 'bytes=5000-' })
  expect([beyondEnd.status, beyondEnd.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  expect(await beyondEnd.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } })
})

it.runIf(process.platform === 'linux')('a file is closed when the client disconnects during a download', async () => {
  const { id: largeTaskId } = (
    await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })
  ).json
  await service.startAll()
  await service.complete(largeTaskId, { bytes: Buffer.alloc(20_000_000) })
  const link = (await service.request('GET', `/v2/model-center/tasks/${largeTaskId}`)).json.result_url
  const openFiles = () =>
    readdirSync('/proc/self/fd')
      .flatMap((fd) => targetOf(fd))
      .filter((target) => target.includes(largeTaskId))
  for (let i = 0; i < 20; i++) {
    const disconnecting = new AbortController()
    const response = await fetch(link, { signal: disconnecting.signal })
    if (i === 0) expect(openFiles()).toHaveLength(1)
    disconnecting.abort()
    await response.arrayBuffer().catch(() => undefined)
  }
  await expect.poll(openFiles).toEqual([])
})

function targetOf(fd: string): string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${fd}`)]
  } catch {
    return []
  }
}

it('a changed link is rejected without information about the file', async () => {
  const signature = new URL(url).searchParams.get('signature') ?? ''
  const changed = [
    url.replace('signature=', 'signature=A'),
    url.replace(/expires=\d+/, 'expires=9999999999'),
    url.replace(/&signature=.*/, ''),
    url.replace(/\?.*/, ''),
    url.replace(id, id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')),
    url.replace(`${id}.mp4`, '..%2Fframegate.db'),
    `${url}&signature=${signature}`,
  ]
  for (const address of changed) {
    const response = await get({}, address)
    expect([address, response.status]).toEqual([address, 403])
    expect(await response.json()).toMatchObject({ error: { type: 'permission_error', code: 'invalid_signature' } })
  }
})

async function expectGone(address: string): Promise<void> {
  const response = await get({}, address)
  expect(response.status).toBe(410)
  expect([response.headers.get('etag'), response.headers.get('content-disposition')]).toEqual([null, null])
  expect(await response.json()).toMatchObject({ error: { type: 'gone_error', code: 'result_expired' } })
}

it('a link gets 410 when the link has expired, when the file is missing, and when the result was removed', async () => {
  service.clockAheadMs = (resultUrlTtlSeconds + 61) * 1000
  await expectGone(url)
  service.clockAheadMs = 0
  await service.mediaStore.remove(`${id}.mp4`)
  await expectGone(url)
  await service.store.markResultsRemoved([{ objectKey: `${id}.mp4`, taskId: id }], Date.now())
  await expectGone(url)
})
