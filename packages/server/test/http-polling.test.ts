import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changed, openHttpService, type HttpService } from './http-service.ts'

const tasks = '/v2/model-center/tasks'
let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ limits: { heldRequestsMax: 40 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit(): Promise<string> {
  return (await service.request('POST', tasks, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id
}

/** In one piece on one connection: they are all read in one turn of the event loop. */
async function askTogether({ origin, key }: HttpService, ids: readonly string[]): Promise<string[]> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const request = (id: string): string =>
    `GET /api${tasks}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: ${id === ids.at(-1) ? 'close' : 'keep-alive'}\r\n\r\n`
  socket.write(ids.map(request).join(''))
  const received = (await socket.setEncoding('latin1').toArray()).join('')
  return received.split(/(?=HTTP\/1\.1 )/)
}

describe('conditional requests', () => {
  it('answers 304 until something changes', async () => {
    const id = await submit()
    let etag = ''
    const steps = [() => service.startAll(), () => service.progress(id, 10), () => service.complete(id)]
    for (const step of [...steps, undefined]) {
      const full = await service.request('GET', `${tasks}/${id}`, { headers: { 'if-none-match': etag } })
      expect(full.status).toBe(200)
      etag = full.headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"[\w-]+"$/)
      const same = await service.request('GET', `${tasks}/${id}`, { headers: { 'if-none-match': etag } })
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
      expect(same.headers.get('x-request-id')).toMatch(/^req_/)
      await step?.()
    }
  })

  it('compares weakly, in lists, and with *', async () => {
    const id = await submit()
    const etag = (await service.request('GET', `${tasks}/${id}`)).headers.get('etag') ?? ''
    const statusFor = async (value: string) =>
      (await service.request('GET', `${tasks}/${id}`, { headers: { 'if-none-match': value } })).status
    for (const value of ['*', etag.slice(2), `"other", ${etag}`, `"a",${etag.slice(2)} , "b"`])
      expect(await statusFor(value)).toBe(304)
    for (const value of ['"other"', etag.slice(3, -1), '']) expect(await statusFor(value)).toBe(200)
    const v1 = await service.request('GET', `/v1/vidC/videos/${id}`, { headers: { 'if-none-match': etag } })
    expect(v1.status).toBe(304)
  })

  it('shows a fresh link and another ETag when the signature has grown old', async () => {
    const id = await submit()
    await service.startAll()
    await service.complete(id)
    const first = await service.request('GET', `${tasks}/${id}`)
    service.clockAheadMs = 120_000
    const second = await service.request('GET', `${tasks}/${id}`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    service.clockAheadMs = 0
    expect(second.status).toBe(200)
    expect(second.json.expires_at - first.json.expires_at).toBe(120)
    expect(second.json.result_url).not.toBe(first.json.result_url)
  })
})

describe('queries that arrive together', () => {
  it('are each answered with their own task', async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, submit))
    const answers = await askTogether(service, ids)
    expect(answers.map((answer) => /"id":"(\w+)"/.exec(answer)?.[1])).toEqual(ids)
  })

  it('are answered although one of them meets a fault', async () => {
    let brokenId: string | undefined
    await using faulty = await openHttpService({
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
      ids.push((await faulty.request('POST', tasks, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id)
    }
    brokenId = ids[1]
    const statuses = (await askTogether(faulty, ids)).map((answer) => answer.slice(9, 12))
    expect(statuses).toEqual(['200', '500', '200'])
  })
})

describe('held queries', () => {
  it.each(['?wait=30', ''])('are answered as soon as the task ends %s', async (query) => {
    const id = await submit()
    const headers: Record<string, string> = query === '' ? { prefer: 'respond-async, wait=30' } : {}
    const startedAt = Date.now()
    const held = service.request('GET', `${tasks}/${id}${query}`, { headers })
    const heldV1 = service.request('GET', `/v1/vidC/videos/${id}${query}`, { headers })
    await pause(100)
    await service.startAll()
    await service.progress(id, 50)
    await pause(50)
    await service.complete(id)
    const answer = await held
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(answer.json).toMatchObject({ status: 'completed', result_url: expect.any(String) })
    expect(answer.headers.get('preference-applied')).toBe(query === '' ? 'wait=30' : null)
    expect((await heldV1).json.status).toBe('completed')
  })

  it('are woken by a cancellation', async () => {
    const id = await submit()
    const held = service.request('GET', `${tasks}/${id}?wait=30`)
    await pause(50)
    await service.request('POST', `${tasks}/${id}/cancel`)
    expect((await held).json).toMatchObject({ status: 'failed', error_code: 'cancelled' })
  })

  it('are answered when the time is up, with the state of that moment', async () => {
    const id = await submit()
    const startedAt = Date.now()
    const held = service.request('GET', `${tasks}/${id}?wait=1`)
    await pause(100)
    await service.startAll()
    const answer = await held
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990)
    expect(answer.json.status).toBe('processing')
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('are not held when the task has ended or the wait is nought', async () => {
    const id = await submit()
    expect((await service.request('GET', `${tasks}/${id}?wait=0`)).json.status).toBe('queued')
    await service.request('POST', `${tasks}/${id}/cancel`)
    expect((await service.request('GET', `${tasks}/${id}?wait=60`)).json.status).toBe('failed')
  })

  it('answer 304 when nothing has changed in the time', async () => {
    const id = await submit()
    const etag = (await service.request('GET', `${tasks}/${id}`)).headers.get('etag') ?? ''
    const answer = await service.request('GET', `${tasks}/${id}?wait=1`, { headers: { 'if-none-match': etag } })
    expect(answer.status).toBe(304)
  })

  it.each(['61', '-1', '1.5', 'x', '', '1&wait=2'])('refuse wait=%s', async (wait) => {
    const answer = await service.request('GET', `${tasks}/${await submit()}?wait=${wait}`)
    expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([400, 'invalid_parameter', 'wait'])
  })

  it('ignore a preference that makes no sense', async () => {
    const answer = await service.request('GET', `${tasks}/${await submit()}`, { headers: { prefer: 'wait=long' } })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
  })

  it('beyond the bound are answered at once, and places of clients that have gone are free again', async () => {
    const id = await submit()
    const port = Number(new URL(service.origin).port)
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'))
    const request = `GET /api${tasks}/${id}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    for (const socket of sockets) socket.write(request)
    await pause(200)
    const startedAt = Date.now()
    const beyond = await service.request('GET', `${tasks}/${id}?wait=3`, { headers: {} })
    expect(beyond.json.status).toBe('queued')
    expect(Date.now() - startedAt).toBeLessThan(1_000)
    for (const socket of sockets) socket.destroy()
    await pause(100)
    const held = service.request('GET', `${tasks}/${id}?wait=1`)
    await held
    expect(Date.now() - startedAt).toBeGreaterThan(1_000)
  })

  it('are let go when the service closes', async () => {
    const closing = await openHttpService()
    const { id } = (await closing.request('POST', tasks, { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const held = closing.request('GET', `${tasks}/${id}?wait=60`)
    await pause(100)
    const startedAt = Date.now()
    await closing[Symbol.asyncDispose]()
    expect((await held).json.status).toBe('queued')
    expect(Date.now() - startedAt).toBeLessThan(2_000)
  })
})
