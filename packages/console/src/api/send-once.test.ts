import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import type { call } from './call.ts'
import { createSendOnce } from './send-once.ts'

/** Returns a `send` function. Its requests have these statuses in order, and then 200. */
function sendWithStatuses(statuses: number[]) {
  const keys: unknown[] = []
  const sendOnce = createSendOnce((async (_method, _path, options) => {
    keys.push(options?.headers?.['idempotency-key'])
    const status = statuses.shift() ?? 200
    if (status !== 200) throw new ApiError(status, { code: 'any', message: 'any' })
    return 'done'
  }) as typeof call)
  /** Sends a request and returns the number of different idempotency keys so far. */
  return async (body: unknown): Promise<number> => {
    await sendOnce('/tasks', body).catch(() => undefined)
    return new Set(keys).size
  }
}

it('a request that is repeated after a lost response or an internal error has the same key', async () => {
  const send = sendWithStatuses([0, 500])
  expect([await send('a'), await send('a'), await send('a')]).toEqual([1, 1, 1])
})

it('a request that is repeated after a success or a rejection has another key', async () => {
  const send = sendWithStatuses([200, 402])
  expect([await send('a'), await send('a'), await send('a')]).toEqual([1, 2, 3])
})

it('a different request after a lost response has another key', async () => {
  const send = sendWithStatuses([0, 200])
  expect([await send('a'), await send('b'), await send('a')]).toEqual([1, 2, 3])
})

it('a request that is repeated after an incomplete response has the same key', async () => {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 }).write('{"id":')
    setTimeout(() => response.destroy(), 50)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
  try {
    const sendOnce = createSendOnce()
    for (const _attempt of ['first', 'second']) {
      await expect(sendOnce('/tasks', 'a')).rejects.toMatchObject({ status: 0, code: 'connection_failed' })
    }
    expect(keys).toEqual([keys[0], keys[0]])
    expect(keys[0]).toBeTypeOf('string')
  } finally {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    server.close()
  }
})
