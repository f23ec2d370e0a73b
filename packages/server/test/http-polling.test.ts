import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { changed, openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ limits: { longPollsMax: 40 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit(): Promise<string> {
  return (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id
}

/**
 * Queries tasks with pipelined requests that are sent at once, so that the service reads them in
 * one tick of the event loop.
 */
async function sendPipelined({ origin, key }: HttpService, ids: readonly string[]): Promise<string[]> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const request = (id: string): string =>
    `GET /api${tasksPath}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: ${id === ids.at(-1) ? 'close' : 'keep-alive'}\r\n\r\n`
  socket.write(ids.map(request).join(''))
  const received = (await socket.setEncoding('latin1').toArray()).join('')
  return received.split(/(?=HTTP\/1\.1 )/)
}

async function setStatus(accountId: string, status: string): Promise<void> {
  expect((await service.request('PATCH', `/admin/v1/accounts/${accountId}`, { body: { status } })).status).toBe(200)
}

/** Whether the service delays the response to a query with `wait=1` by a second. */
async function isHeld(requested: HttpService, id: string, key: string): Promise<boolean> {
  const startedAt = performance.now()
  expect((await requested.request('GET', `${tasksPath}/${id}?wait=1`, { key })).status).toBe(200)
  return performance.now() - startedAt > 990
}

/** Clients that query a task with a wait of one minute, each on its own connection. */
class Crowd implements Disposable {
  readonly #sockets: Socket[] = []
  readonly #port: number
  responses = 0

  constructor({ origin }: HttpService) {
    this.#port = Number(new URL(origin).port)
  }

  async send(count: number, id: string, key: string): Promise<void> {
    const request = `GET /api${tasksPath}/${id}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    for (let i = 0; i < count; i++) {
      const socket = connect(this.#port, '127.0.0.1')
      socket.once('data', () => (this.responses += 1))
      socket.write(request)
      this.#sockets.push(socket)
    }
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

describe('conditional requests', () => {
  it('a conditional query of a task gets 304 until something changes', async () => {
    const id = await submit()
    let etag = ''
    const steps = [() => service.startAll(), () => service.progress(id, 10), () => service.complete(id)]
    for (const step of [...steps, undefined]) {
      const fullResponse = await service.request('GET', `${tasksPath}/${id}`, { headers: { 'if-none-match': etag } })
      expect(fullResponse.status).toBe(200)
      etag = fullResponse.headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"[\w-]+"$/)
      const notModified = await service.request('GET', `${tasksPath}/${id}`, { headers: { 'if-none-match': etag } })
      expect([notModified.status, notModified.text, notModified.headers.get('etag')]).toEqual([304, '', etag])
      expect(notModified.headers.get('x-request-id')).toMatch(/^req_/)
      await step?.()
    }
  })

  it('If-None-Match accepts weak ETags, lists of ETags, and *', async () => {
    const id = await submit()
    const etag = (await service.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
    const statusFor = async (value: string) =>
      (await service.request('GET', `${tasksPath}/${id}`, { headers: { 'if-none-match': value } })).status
    for (const value of ['*', etag.slice(2), `"other", ${etag}`, `"a",${etag.slice(2)} , "b"`])
      expect(await statusFor(value)).toBe(304)
    for (const value of ['"other"', etag.slice(3, -1), '']) expect(await statusFor(value)).toBe(200)
    const v1 = await service.request('GET', `/v1/vidC/videos/${id}`, { headers: { 'if-none-match': etag } })
    expect(v1.status).toBe(304)
  })

  it('a query returns a new link and another ETag after the signature was renewed', async () => {
    const id = await submit()
    await service.startAll()
    await service.complete(id)
    const firstResponse = await service.request('GET', `${tasksPath}/${id}`)
    service.clockAheadMs = 120_000
    const renewedResponse = await service.request('GET', `${tasksPath}/${id}`, {
      headers: { 'if-none-match': firstResponse.headers.get('etag') ?? '' },
    })
    service.clockAheadMs = 0
    expect(renewedResponse.status).toBe(200)
    expect(renewedResponse.json.expires_at - firstResponse.json.expires_at).toBe(120)
    expect(renewedResponse.json.result_url).not.toBe(firstResponse.json.result_url)
  })
})

describe('concurrent queries', () => {
  it('concurrent queries each return their own task', async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, submit))
    const responses = await sendPipelined(service, ids)
    expect(responses.map((response) => /"id":"(\w+)"/.exec(response)?.[1])).toEqual(ids)
  })

  it('concurrent queries get their tasks even if one of them fails', async () => {
    let brokenId: string | undefined
    await using failing = await openHttpService({
      changeStore: (store) =>
        changed(store, {
          peek: () => undefined,
          async find(id) {
            const task = await store.find(id)
            if (task === undefined || id !== brokenId) return task
            return {
              ...task,
              get model(): string {
                throw new Error('this one cannot be read')
              },
            }
          },
        }),
    })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.push((await failing.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id)
    }
    brokenId = ids[1]
    const statuses = (await sendPipelined(failing, ids)).map((response) => response.slice(9, 12))
    expect(statuses).toEqual(['200', '500', '200'])
  })
})

describe('long polls', () => {
  it.each([
    ['the parameter wait', '?wait=30'],
    ['the header Prefer', ''],
  ])('a long poll with %s ends when its task ends', async (_how, query) => {
    const id = await submit()
    const headers: Record<string, string> = query === '' ? { prefer: 'respond-async, wait=30' } : {}
    const startedAt = Date.now()
    const pending = service.request('GET', `${tasksPath}/${id}${query}`, { headers })
    const pendingV1 = service.request('GET', `/v1/vidC/videos/${id}${query}`, { headers })
    await pause(100)
    await service.startAll()
    await service.progress(id, 50)
    await pause(50)
    await service.complete(id)
    const response = await pending
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(response.json).toMatchObject({ status: 'completed', result_url: expect.any(String) })
    expect(response.headers.get('preference-applied')).toBe(query === '' ? 'wait=30' : null)
    expect((await pendingV1).json.status).toBe('completed')
  })

  it('a long poll ends when its task is cancelled', async () => {
    const id = await submit()
    const pending = service.request('GET', `${tasksPath}/${id}?wait=30`)
    await pause(50)
    await service.request('POST', `${tasksPath}/${id}/cancel`)
    expect((await pending).json).toMatchObject({ status: 'failed', error_code: 'cancelled' })
  })

  it('a long poll returns the current state when its wait time is over', async () => {
    const id = await submit()
    const startedAt = Date.now()
    const pending = service.request('GET', `${tasksPath}/${id}?wait=1`)
    await pause(100)
    await service.startAll()
    const response = await pending
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990)
    expect(response.json.status).toBe('processing')
    expect(response.headers.get('retry-after')).toBe('5')
  })

  it('a query gets an immediate response if the task has ended or wait is 0', async () => {
    const id = await submit()
    expect((await service.request('GET', `${tasksPath}/${id}?wait=0`)).json.status).toBe('queued')
    await service.request('POST', `${tasksPath}/${id}/cancel`)
    expect((await service.request('GET', `${tasksPath}/${id}?wait=60`)).json.status).toBe('failed')
  })

  it('a long poll gets 304 when nothing has changed during its wait time', async () => {
    const id = await submit()
    const etag = (await service.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
    const response = await service.request('GET', `${tasksPath}/${id}?wait=1`, { headers: { 'if-none-match': etag } })
    expect(response.status).toBe(304)
  })

  it('a long poll with an ETag ends with each change of status or progress', async () => {
    const id = await submit()
    const wait = async (etag: string, change: () => Promise<void>) => {
      const requestedAt = performance.now()
      const headers = { 'if-none-match': etag }
      const pending = service.request('GET', `${tasksPath}/${id}?wait=30`, { headers })
      const pendingV1 = service.request('GET', `/v1/vidC/videos/${id}`, { headers: { ...headers, prefer: 'wait=30' } })
      await pause(200)
      await change()
      const response = await pending
      expect([response.status, (await pendingV1).status]).toEqual([200, 200])
      expect(performance.now() - requestedAt).toBeGreaterThanOrEqual(199)
      expect(performance.now() - requestedAt).toBeLessThan(10_000)
      expect((await pendingV1).headers.get('preference-applied')).toBe('wait=30')
      return { etag: response.headers.get('etag') ?? '', view: [response.json.status, response.json.progress] }
    }
    const queuedEtag = (await service.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
    const startedResponse = await wait(queuedEtag, () => service.startAll())
    const moved = await wait(startedResponse.etag, () => service.progress(id, 30))
    const further = await wait(moved.etag, () => service.progress(id, 60))
    const endedResponse = await wait(further.etag, () => service.complete(id))
    expect([startedResponse.view, moved.view, further.view, endedResponse.view]).toEqual([
      ['processing', 0],
      ['processing', 30],
      ['processing', 60],
      ['completed', 100],
    ])
  })

  it('a long poll with an outdated ETag ends immediately', async () => {
    const id = await submit()
    const startedAt = performance.now()
    const response = await service.request('GET', `${tasksPath}/${id}?wait=30`, { headers: { 'if-none-match': 'W/"none"' } })
    expect([response.status, response.json.status]).toEqual([200, 'queued'])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('a long poll with an ETag does not end when a lease is renewed without progress', async () => {
    const id = await submit()
    await service.startAll()
    await service.progress(id, 20)
    const etag = (await service.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
    const pending = service.request('GET', `${tasksPath}/${id}?wait=1`, { headers: { 'if-none-match': etag } })
    await pause(100)
    await service.progress(id, 20)
    expect((await pending).status).toBe(304)
  })

  it('a long poll with an ETag frees its slot after a change', async () => {
    await using smallService = await openHttpService({ limits: { longPollsMax: 8 } })
    const { id } = (await smallService.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    await smallService.startAll()
    for (let percent = 1; percent < 12; percent++) {
      const etag = (await smallService.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
      const pending = smallService.request('GET', `${tasksPath}/${id}?wait=30`, { headers: { 'if-none-match': etag } })
      await pause(50)
      await smallService.progress(id, percent)
      expect((await pending).json.progress).toBe(percent)
    }
  })

  it.each(['61', '-1', '1.5', 'x', '', '1&wait=2'])('a query with wait=%s is rejected', async (wait) => {
    const response = await service.request('GET', `${tasksPath}/${await submit()}?wait=${wait}`)
    expect([response.status, response.json.error.code, response.json.error.param]).toEqual([400, 'invalid_parameter', 'wait'])
  })

  it('an invalid Prefer header is ignored', async () => {
    const response = await service.request('GET', `${tasksPath}/${await submit()}`, { headers: { prefer: 'wait=long' } })
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null])
  })

  it('long polls beyond the limit return immediately, and slots of disconnected clients are free again', async () => {
    const id = await submit()
    const port = Number(new URL(service.origin).port)
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'))
    const request = `GET /api${tasksPath}/${id}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    for (const socket of sockets) socket.write(request)
    await pause(200)
    const startedAt = Date.now()
    const beyond = await service.request('GET', `${tasksPath}/${id}?wait=30`, { headers: {} })
    expect(beyond.json.status).toBe('queued')
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    for (const socket of sockets) socket.destroy()
    await pause(100)
    const pending = service.request('GET', `${tasksPath}/${id}?wait=1`)
    await pending
    expect(Date.now() - startedAt).toBeGreaterThan(1_000)
  })

  it('long polls of one key leave slots for other keys and accounts, and long polls of clients leave slots for operators', async () => {
    await using shared = await openHttpService({ limits: { longPollsMax: 80 } })
    const submitAs = async (key: string): Promise<string> =>
      (await shared.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' }, key })).json.id
    const clients: TestAccount[] = []
    for (let count = 0; count < 8; count++) clients.push(await shared.newAccount(1, ['tasks:read', 'tasks:write']))
    const [firstClient, ...otherClients] = clients as [TestAccount, ...TestAccount[]]
    const secondKey = await shared.keys.issueKey({
      accountNo: firstClient.accountNo,
      name: 'another',
      scopes: ['tasks:read'],
      expiresAtMs: null,
    })
    using crowd = new Crowd(shared)
    const id = await submitAs(firstClient.key)
    // A long poll beyond the slots of the account gets an immediate response.
    await crowd.send(60, id, firstClient.key)
    await vi.waitFor(() => expect(crowd.responses).toBe(60 - 24), { timeout: 20_000 })
    // Each key may use only some of the slots of its account.
    await crowd.send(60, id, secondKey.key)
    await vi.waitFor(() => expect(crowd.responses).toBe(60 - 24 + 60 - 11), { timeout: 20_000 })
    const respondedBefore = crowd.responses
    let requestedCount = 0
    for (const { key } of otherClients) {
      const taskId = await submitAs(key)
      await crowd.send(60, taskId, key)
      requestedCount += 60
    }
    await vi.waitFor(() => expect(crowd.responses).toBeGreaterThan(respondedBefore + requestedCount - 35), { timeout: 20_000 })
    // A new client still gets a slot, and some slots are reserved for operators.
    const newcomer = await shared.newAccount(1, ['tasks:read', 'tasks:write'])
    expect(await isHeld(shared, await submitAs(newcomer.key), newcomer.key)).toBe(true)
    expect(await isHeld(shared, await submitAs(shared.key), shared.key)).toBe(true)
  })

  it('long polls end when the service closes', async () => {
    const closing = await openHttpService()
    const { id } = (await closing.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const pending = closing.request('GET', `${tasksPath}/${id}?wait=60`)
    await pause(100)
    const startedAt = Date.now()
    await closing[Symbol.asyncDispose]()
    expect((await pending).json.status).toBe('queued')
    expect(Date.now() - startedAt).toBeLessThan(20_000)
  })

  it.each([
    ['revoked key', 401, async ({ keyId }: TestAccount) => void (await service.keys.revokeKey(keyId))],
    ['suspended account', 403, async ({ accountId }: TestAccount) => setStatus(accountId, 'suspended')],
    ['closed account', 401, async ({ accountId }: TestAccount) => setStatus(accountId, 'closed')],
    [
      'key that has lost its scope',
      403,
      async ({ keyId }: TestAccount) => void (await service.keys.changeKey(keyId, { scopes: ['tasks:write'] })),
    ],
  ])('a long poll of a %s ends without the result', async (situation, status, end) => {
    const account = await service.newAccount(1, ['tasks:read', 'tasks:write'])
    const { key } = account
    const { id } = (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' }, key })).json
    await service.startAll()
    const pending = service.request('GET', `${tasksPath}/${id}?wait=30`, { key })
    await pause(200)
    await end(account)
    await service.complete(id)
    const response = await pending
    expect(response.status).toBe(status)
    expect(response.json.error.code).toBe(
      { 401: 'invalid_api_key', 403: situation === 'suspended account' ? 'account_suspended' : 'key_scope_missing' }[status],
    )
    expect(response.text).not.toContain('result_url')
  })

  it('image requests and tool calls that wait for an image end without it if their key is revoked', async () => {
    const { key, keyId } = await service.newAccount(100)
    const image = { model: 'imgA-5.0', prompt: 'A lake' }
    const tool = { name: 'generate_image', arguments: { ...image, wait_seconds: 30 } }
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const waiting = [
      ['/v1/images/generations', { ...image, response_format: 'url' }] as const,
      ['/v1/images/generations', { ...image, stream: true }] as const,
      ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }] as const,
    ].map(async ([path, body]) =>
      (await fetch(service.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })).text(),
    )
    const listIds = async (): Promise<string[]> => {
      const { json } = await service.request('GET', '/v2/model-center/tasks', { key })
      return json.items.map(({ id }: { id: string }) => id)
    }
    await expect.poll(listIds).toHaveLength(3)
    const ids = await listIds()
    await service.startAll()
    await pause(100)
    await service.keys.revokeKey(keyId)
    for (const id of ids) await service.complete(id, { durationMs: null })
    for (const text of await Promise.all(waiting)) {
      expect(text).toContain('This API key is not valid.')
      expect(text).not.toMatch(/b64_json|\/media\//)
    }
  })
})
