import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDeliverer } from './open-deliverer.ts'
import { openHttpService, type HttpService, type RequestOptions, type TestAccount } from './http-service.ts'
import { acceptEvent, openWebhookReceiver, respondWith, type ReceivedEvent, type WebhookReceiver } from './webhook-receiver.ts'

const webhooksPath = '/v2/webhooks'
const tasksPath = '/v2/model-center/tasks'
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

let service: HttpService
let receiver: WebhookReceiver
let account: TestAccount
let worker: Awaited<ReturnType<typeof openDeliverer>>
let onDueRead = async (): Promise<void> => {}
beforeAll(async () => {
  service = await openHttpService({ allowHosts: ['127.0.0.1'] })
  worker = await openDeliverer(service, {}, () => onDueRead())
})
afterAll(async () => {
  await worker[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  receiver = await openWebhookReceiver()
  account = await service.newAccount(100)
})
afterEach(async () => {
  // Stops deliveries of earlier tests. Their receivers are closed, and the service must not send
  // old events to the receivers of later tests.
  await service.store.database.updateTable('webhook_endpoints').set({ due_at: null }).execute()
  await receiver[Symbol.asyncDispose]()
  service.clockAheadMs = 0
  onDueRead = async () => {}
})

const request = (method: string, path: string, body?: object, options: RequestOptions = {}) =>
  service.request(method, path, { key: account.key, ...(body && { body }), ...options })
const create = async (body: object = {}) => (await request('POST', webhooksPath, { url: receiver.url, ...body })).json
async function submitTask(body: object = {}): Promise<string> {
  return (await request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x', ...body })).json.id
}
async function completeTask(body: object = {}): Promise<string> {
  const id = await submitTask(body)
  await service.startAll()
  await service.complete(id)
  return id
}
async function completeTasks(count: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, () => submitTask()))
  await service.startAll()
  await Promise.all(ids.map((id) => service.complete(id)))
}
/**
 * Changes the URL of a webhook while a request to the old URL is in flight. Returns the response to
 * that request, which the caller sends.
 */
async function changeUrlInFlight(id: string): Promise<ServerResponse> {
  const { promise: oldResponse, resolve } = Promise.withResolvers<ServerResponse>()
  receiver.respond = resolve
  await completeTask()
  const response = await oldResponse
  receiver.respond = acceptEvent
  await request('PATCH', `${webhooksPath}/${id}`, { url: `${receiver.url}/new` })
  return response
}
const listDeliveries = async (id: string, query = '') =>
  (await request('GET', `${webhooksPath}/${id}/deliveries${query}`)).json.items
async function awaitAttemptedDelivery(id: string) {
  return await vi.waitFor(
    async () => {
      const [delivery] = await listDeliveries(id)
      expect(delivery?.last_attempt).toBeTruthy()
      return delivery
    },
    { timeout: 5_000, interval: 10 },
  )
}

describe('an event', () => {
  it('the event of a completed task has the data of a query, and official verifiers accept its signature', async () => {
    const { id: webhookId, secret } = await create()
    const id = await completeTask()
    const [event] = await receiver.awaitEvents(1)
    const task = (await request('GET', `${tasksPath}/${id}`)).json
    expect(event!.json).toMatchObject({ type: 'task.completed', data: { id, status: 'completed', model: task.model } })
    expect(Object.keys(event!.json.data)).toEqual(Object.keys(task))
    expect(event!.json.id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(new Date(event!.json.timestamp).toISOString()).toBe(event!.json.timestamp)
    expect(event!.signed['webhook-id']).toBe(event!.json.id)
    expect(event!.headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await fetch(event!.json.data.result_url)).status).toBe(200)

    expect(new StandardWebhook(secret).verify(event!.body, event!.signed)).toEqual(event!.json)
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      new Verifier(secret).verify(event!.body, event!.signed)
      expect(() => new Verifier(secret).verify(event!.body.replace('completed', 'failed'), event!.signed)).toThrow()
    }
    const client = new OpenAI({ apiKey: 'x', webhookSecret: secret })
    expect(await client.webhooks.unwrap(event!.body, event!.signed)).toEqual(event!.json)
    await expect(client.webhooks.unwrap(event!.body, event!.signed, 'whsec_AAAA')).rejects.toThrow()

    const delivery = await awaitAttemptedDelivery(webhookId)
    expect(delivery).toMatchObject({
      event: event!.json.id,
      type: 'task.completed',
      task: id,
      url: receiver.url,
      status: 'delivered',
      attempts: 1,
      next_attempt: null,
      last_attempt: { trigger: 'schedule', status_code: 200, error: null, response_body: 'ok' },
    })
  })

  it('a webhook receives only events of its types, and each of them once', async () => {
    const { id: everyTypeId } = await create({ events: ['task.processing', 'task.completed', 'task.failed'] })
    const { id: failuresId } = await create({ events: ['task.failed'] })
    await completeTask()
    await request('POST', `${tasksPath}/${await submitTask()}/cancel`)
    await receiver.awaitEvents(4)
    await vi.waitFor(async () => expect(await listDeliveries(everyTypeId, '?status=delivered')).toHaveLength(3))
    expect((await listDeliveries(everyTypeId)).map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'task.completed',
      'task.failed',
      'task.processing',
    ])
    expect(await listDeliveries(failuresId)).toMatchObject([{ type: 'task.failed' }])
    expect(await listDeliveries(everyTypeId, '?type=task.failed')).toMatchObject([{ type: 'task.failed' }])
  })

  it('an event that failed while the clock was a year ahead is sent again after the clock was set back', async () => {
    const { id } = await create()
    receiver.respond = respondWith(500)
    service.clockAheadMs = 365 * dayMs
    await completeTask()
    await awaitAttemptedDelivery(id)
    receiver.respond = acceptEvent
    service.clockAheadMs = 30 * hourMs
    await receiver.awaitEvents(2)
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=delivered')).toHaveLength(1))
  })

  it('a pause that began while the clock was a year ahead ends when the clock is set back', async () => {
    const { id } = await create()
    receiver.respond = respondWith(503, { 'retry-after': '60' })
    service.clockAheadMs = 365 * dayMs
    await completeTask()
    await awaitAttemptedDelivery(id)
    receiver.respond = acceptEvent
    service.clockAheadMs = 30 * hourMs
    await completeTask()
    await receiver.awaitEvents(3)
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=delivered')).toHaveLength(2))
  })

  it.each([
    ['retry', {}],
    ['pause', { 'retry-after': '3000' }],
  ])('a %s that began before the clock was set back by two hours ends soon', async (_what, headers) => {
    const { id } = await create()
    receiver.respond = respondWith(503, headers)
    service.clockAheadMs = 32 * hourMs
    // The worker compares the clock with that of its previous check, every 100 ms.
    await sleep(500)
    await completeTask()
    await awaitAttemptedDelivery(id)
    receiver.respond = acceptEvent
    service.clockAheadMs = 30 * hourMs
    await receiver.awaitEvents(2)
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=delivered')).toHaveLength(1))
  })

  it('a lease that was taken while the clock was a year ahead ends after its usual duration', async () => {
    await using otherService = await openHttpService({ allowHosts: ['127.0.0.1'] })
    await using _worker = await openDeliverer(otherService, { leaseMs: 1_000 })
    const { key } = await otherService.newAccount(100)
    const { id } = (await otherService.request('POST', webhooksPath, { key, body: { url: receiver.url } })).json
    await otherService.store.database
      .updateTable('webhook_endpoints')
      .set({ lease_until: Date.now() + 365 * dayMs, due_at: Date.now() })
      .where('id', '=', id)
      .execute()
    await otherService.request('POST', `${webhooksPath}/${id}/test`, { key })
    await receiver.awaitEvents(1)
  })

  it('an event is delivered once, even if its response arrives while the due deliveries are read', async () => {
    const { id: webhookId } = await create()
    const setLease = (leaseUntilMs: number | null) =>
      service.store.database
        .updateTable('webhook_endpoints')
        .set({ lease_until: leaseUntilMs })
        .where('id', '=', webhookId)
        .execute()
    // Another worker seems to have the lease, so no event is sent until all are queued.
    await setLease(Date.now() + dayMs)
    const taskIds = [await submitTask(), await submitTask(), await submitTask()]
    await Promise.all(taskIds.map((id) => request('POST', `${tasksPath}/${id}/cancel`)))
    await vi.waitFor(async () => expect(await listDeliveries(webhookId)).toHaveLength(3))
    let heldResponse: ServerResponse | undefined
    receiver.respond = (response, event) => {
      if (receiver.received.length === 2) heldResponse = response
      else acceptEvent(response, event)
    }
    onDueRead = async () => {
      if (receiver.received.length < 3) return
      heldResponse?.end('ok')
      await sleep(50)
    }
    // After the first event, the second and the third one are sent at the same time.
    await setLease(null)
    await vi.waitFor(async () => expect(await listDeliveries(webhookId, '?status=delivered')).toHaveLength(3))
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(3)
    expect(receiver.received).toHaveLength(3)
  })

  it('no webhook of another account receives the events of an account, and links have the domain of its brand', async () => {
    const { brand } = await service.brands.createBrand({
      name: 'North',
      hosts: ['north.example'],
      resultOrigin: 'https://media.north.example',
    })
    const otherAccount = await service.newAccount(100, undefined, {}, brand)
    const host = 'north.example'
    await create()
    await request('POST', webhooksPath, { url: `${receiver.url}/other` }, { key: otherAccount.key, host })
    const body = { model: 'imgA-5.0', prompt: 'x' }
    const foreignId = (await request('POST', tasksPath, body, { key: otherAccount.key, host })).json.id
    await service.startAll()
    await service.complete(foreignId)
    await completeTask()
    await receiver.awaitEvents(2)
    const eventsOfOther = receiver.received.filter(({ path }) => path === '/hook/other')
    expect(eventsOfOther.map(({ json }) => json.data.id)).toEqual([foreignId])
    expect(eventsOfOther[0]!.json.data.result_url).toMatch(/^https:\/\/media\.north\.example\//)
    const ownEvents = receiver.received.filter(({ path }) => path === '/hook')
    expect(ownEvents).toHaveLength(1)
    expect(ownEvents[0]!.json.data.result_url).toMatch(new RegExp(`^${service.origin}`))
  })

  it("webhook_url receives the event for the end of its task, signed with the account's secret", async () => {
    const { secret } = (await request('GET', `${webhooksPath}/secret`)).json
    await completeTask()
    const id = await completeTask({ webhook_url: `${receiver.url}?order=7` })
    const [event] = await receiver.awaitEvents(1)
    expect([event!.path, event!.json.data.id]).toEqual(['/hook?order=7', id])
    new StandardWebhook(secret).verify(event!.body, event!.signed)
    const [delivery] = await vi.waitFor(async () => {
      const deliveries = await listDeliveries('tasks', `?task=${id}&status=delivered`)
      expect(deliveries).toHaveLength(1)
      return deliveries
    })
    expect(delivery).toMatchObject({ task: id, url: `${receiver.url}?order=7` })
    await request('POST', `${webhooksPath}/tasks/deliveries/${delivery.id}/resend`)
    await receiver.awaitEvents(2)
    expect(receiver.received[1]!.signed['webhook-id']).toBe(event!.signed['webhook-id'])
  })

  it("a webhook in OpenAI's format gets only video events, whose data has only the id", async () => {
    const { secret } = await create({ format: 'openai' })
    await completeTask()
    const id = await completeTask({ model: 'vidDq3-turbo' })
    const [event] = await receiver.awaitEvents(1)
    const client = new OpenAI({ apiKey: 'x' })
    expect(await client.webhooks.unwrap(event!.body, event!.signed, secret)).toEqual({
      id: event!.json.id,
      object: 'event',
      created_at: expect.any(Number),
      type: 'video.completed',
      data: { id },
    })
  })

  it('a test event has the webhook as its data, whatever event types the webhook receives', async () => {
    const { id } = await create({ events: ['task.failed'] })
    const queued = await request('POST', `${webhooksPath}/${id}/test`)
    expect([queued.status, queued.json]).toMatchObject([202, { type: 'webhook.test', status: 'pending', task: null }])
    const [event] = await receiver.awaitEvents(1)
    expect(event!.json).toMatchObject({ id: queued.json.event, type: 'webhook.test', data: { id, object: 'webhook' } })
    expect(event!.body).not.toContain('whsec_')
    expect(await awaitAttemptedDelivery(id)).toMatchObject({ status: 'delivered', last_attempt: { trigger: 'manual' } })
    await request('PATCH', `${webhooksPath}/${id}`, { enabled: false })
    expect((await request('POST', `${webhooksPath}/${id}/test`)).json.error.code).toBe('conflict')
  })

  it('the event credits.low is sent once each time the balance falls below the threshold', async () => {
    await create({ events: ['credits.low'] })
    expect((await request('GET', '/v2/credits/alert')).json).toEqual({ object: 'credit_alert', below: null })
    expect((await request('PUT', '/v2/credits/alert', { below: -1 })).json.error.param).toBe('below')
    await request('PUT', '/v2/credits/alert', { below: 99.99 })
    await submitTask()
    await submitTask()
    const [event] = await receiver.awaitEvents(1)
    expect(event!.json).toMatchObject({ type: 'credits.low', data: { object: 'credits', balance: expect.any(Number) } })
    expect(event!.json.data.balance).toBeLessThan(99.99)
    await service.store.grant(account.accountNo, 1_000_000, 'more')
    await service.store.adjust(account.accountNo, -2_000_000, 'less')
    await receiver.awaitEvents(2)
    expect(new Set(receiver.received.map(({ signed }) => signed['webhook-id'])).size).toBe(2)
  })

  it('for 24 hours after a rotation both secrets sign, and then only the new one', async () => {
    const { id, secret: oldSecret } = await create()
    const { secret } = (await request('POST', `${webhooksPath}/${id}/rotate-secret`)).json
    await completeTask()
    await receiver.awaitEvents(1)
    service.clockAheadMs = dayMs + 1
    await completeTask()
    const [eventDuringOverlap, eventAfter] = await receiver.awaitEvents(2)
    expect(eventDuringOverlap!.signed['webhook-signature'].split(' ')).toHaveLength(2)
    for (const signingSecret of [oldSecret, secret])
      new StandardWebhook(signingSecret).verify(eventDuringOverlap!.body, eventDuringOverlap!.signed)
    const timestampAfter = new Date(Number(eventAfter!.signed['webhook-timestamp']) * 1000)
    expect(eventAfter!.signed['webhook-signature']).toBe(
      new StandardWebhook(secret).sign(eventAfter!.signed['webhook-id'], timestampAfter, eventAfter!.body),
    )
    expect(Number(eventAfter!.signed['webhook-timestamp'])).toBeGreaterThan(Date.now() / 1000 + 86_000)
  })

  it('the delivery of an event whose task was deleted fails, and a deleted webhook gets no events', async () => {
    const { id } = await create()
    const { id: goneId } = await create({ url: `${receiver.url}/gone` })
    receiver.respond = respondWith(500)
    const task = await completeTask()
    await receiver.awaitEvents(2)
    await request('DELETE', `${webhooksPath}/${goneId}`)
    await request('DELETE', `${tasksPath}/${task}`)
    service.clockAheadMs = 10_000
    worker.deliverer.wake()
    await vi.waitFor(async () => expect((await listDeliveries(id))[0]).toMatchObject({ status: 'failed', attempts: 1 }))
    const [delivery] = await listDeliveries(id)
    expect(delivery.last_attempt.response_body).toBeNull()
    expect(receiver.received).toHaveLength(2)
  })
})

it('the response of a receiver that echoes an event is not stored if the task is deleted meanwhile', async () => {
  const { id } = await create()
  receiver.respond = (response, { body, json }) => {
    void request('DELETE', `${tasksPath}/${json.data.id}`).then(() => response.end(body))
  }
  await completeTask({ prompt: 'a quetzalcoatlus' })
  const [event] = await receiver.awaitEvents(1)
  expect(event?.body).toContain('quetzalcoatlus')
  expect((await awaitAttemptedDelivery(id)).last_attempt).toMatchObject({ status_code: 200, response_body: null })
})

describe('a failed delivery', () => {
  it('an event is sent ten times in about 76 hours with the same id, and then counts as failed', async () => {
    const { id } = await create()
    receiver.respond = respondWith(500, {}, 'x'.repeat(10_000))
    await completeTask()
    const measuredSeconds: number[] = []
    for (let attempt = 1; attempt <= 10; attempt++) {
      await receiver.awaitEvents(attempt)
      const delivery = await vi.waitFor(async () => {
        const [delivery] = await listDeliveries(id)
        expect(delivery.attempts).toBe(attempt)
        return delivery
      })
      expect(delivery.last_attempt).toMatchObject({ status_code: 500, error: expect.stringContaining('status 500') })
      expect(delivery.last_attempt.response_body).toBe('x'.repeat(4096))
      expect(delivery.status).toBe(attempt < 10 ? 'pending' : 'failed')
      if (attempt === 10) break
      measuredSeconds.push(delivery.next_attempt - delivery.last_attempt.at)
      // Shortly before the time of the next attempt, nothing is sent.
      service.clockAheadMs = delivery.next_attempt * 1000 - Date.now() - 1_500
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(receiver.received).toHaveLength(attempt)
      service.clockAheadMs = delivery.next_attempt * 1000 - Date.now() + 1_000
    }
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, delay] of schedule.entries()) {
      expect(measuredSeconds[index]).toBeGreaterThanOrEqual(delay - 1)
      expect(measuredSeconds[index]).toBeLessThanOrEqual(delay * 1.1 + 1)
    }
    expect(new Set(receiver.received.map(({ signed }) => signed['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ signed }) => signed['webhook-timestamp'])).size).toBe(10)

    receiver.respond = acceptEvent
    expect((await request('POST', `${webhooksPath}/${id}/resend-failed`, { since: 0 })).json).toMatchObject({
      resent: 1,
      has_more: false,
    })
    await receiver.awaitEvents(11)
    await vi.waitFor(async () => expect((await listDeliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 11 }))
    expect((await listDeliveries(id))[0].last_attempt.trigger).toBe('manual')
  })

  it.each([
    ['a redirect', respondWith(302, { location: 'http://127.0.0.1:1/' }), 302, 'which is not followed'],
    ['a response that never comes', () => {}, null, 'did not respond in time'],
    ['a broken connection', (response: ServerResponse) => response.destroy(), null, 'was lost'],
    ['headers beyond every limit', respondWith(200, { 'x-long': 'x'.repeat(20_000) }), null, 'headers'],
  ] as const)('a delivery that gets %s fails and is retried later', async (_what, respond, status, words) => {
    const { id } = await create()
    receiver.respond = respond
    await completeTask()
    const { last_attempt: lastAttempt, status: state } = await awaitAttemptedDelivery(id)
    expect([state, lastAttempt.status_code]).toEqual(['pending', status])
    expect(lastAttempt.error).toContain(words)
  })

  it('the status of an endless response decides the outcome, and only the beginning of the response is stored', async () => {
    const { id } = await create()
    receiver.respond = (response) => {
      const timer = setInterval(() => response.write('endless '), 1)
      response.on('close', () => clearInterval(timer))
    }
    await completeTask()
    const delivery = await awaitAttemptedDelivery(id)
    expect(delivery).toMatchObject({ status: 'delivered' })
    expect(delivery.last_attempt.response_body.length).toBeLessThanOrEqual(4096)
  })

  it('a Retry-After in a 429 or 503 delays the next attempt of a delivery, by an hour at most', async () => {
    for (const [seconds, expected] of [
      ['120', 120],
      ['86400', 3_600],
    ] as const) {
      const { id } = await create()
      receiver.respond = respondWith(seconds === '120' ? 429 : 503, { 'retry-after': seconds })
      await completeTask()
      const { next_attempt, last_attempt } = await awaitAttemptedDelivery(id)
      expect(Math.abs(next_attempt - last_attempt.at - expected)).toBeLessThanOrEqual(1)
      await request('DELETE', `${webhooksPath}/${id}`)
    }
  })

  it('a response with 410 disables a webhook: its remaining events fail, and it gets none until it is enabled', async () => {
    const { id } = await create()
    receiver.respond = respondWith(410)
    await completeTask()
    expect(await awaitAttemptedDelivery(id)).toMatchObject({ status: 'failed', attempts: 1 })
    await vi.waitFor(async () =>
      expect((await request('GET', `${webhooksPath}/${id}`)).json).toMatchObject({ enabled: false, disabled_reason: 'gone' }),
    )
    await vi.waitFor(async () =>
      expect(
        await service.store.database
          .selectFrom('event_subscribers')
          .select('types')
          .where('account_no', '=', account.accountNo)
          .execute(),
      ).toEqual([{ types: 0 }]),
    )
    await completeTask()
    expect(await listDeliveries(id)).toHaveLength(1)
    receiver.respond = acceptEvent
    expect((await request('PATCH', `${webhooksPath}/${id}`, { enabled: true })).json).toMatchObject({
      enabled: true,
      disabled_reason: null,
      failing_since: null,
    })
    await completeTask()
    await receiver.awaitEvents(2)
  })

  it('a 410 of the old URL does not disable a webhook with a new URL, which then gets the event', async () => {
    const { id } = await create()
    const response = await changeUrlInFlight(id)
    response.writeHead(410).end()
    expect(await awaitAttemptedDelivery(id)).toMatchObject({ status: 'pending', attempts: 1 })
    expect((await request('GET', `${webhooksPath}/${id}`)).json).toMatchObject({ enabled: true, disabled_reason: null })
    service.clockAheadMs += 10_000
    await receiver.awaitEvents(2)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook/new'])
  })

  it('failures at the old URL do not count after a change of the URL, which also ends the pause', async () => {
    const { id } = await create()
    receiver.respond = respondWith(503, { 'retry-after': '3600' })
    await completeTask()
    await awaitAttemptedDelivery(id)
    expect((await request('GET', `${webhooksPath}/${id}`)).json.failing_since).not.toBeNull()
    receiver.respond = acceptEvent
    await request('PATCH', `${webhooksPath}/${id}`, { url: `${receiver.url}/new` })
    expect((await request('GET', `${webhooksPath}/${id}`)).json.failing_since).toBeNull()
    await completeTask()
    const [, event] = await receiver.awaitEvents(2)
    expect(event!.path).toBe('/hook/new')
  })

  it('a pause that the old URL requests after a change of the URL does not apply to the new one', async () => {
    const { id } = await create()
    const response = await changeUrlInFlight(id)
    response.writeHead(429, { 'retry-after': '3600' }).end()
    const { next_attempt, last_attempt } = await awaitAttemptedDelivery(id)
    expect(next_attempt - last_attempt.at).toBeLessThan(60)
    expect((await request('GET', `${webhooksPath}/${id}`)).json.failing_since).toBeNull()
    await completeTask()
    const [, event] = await receiver.awaitEvents(2)
    expect(event!.path).toBe('/hook/new')
  })

  it('an event whose resend is requested during a failing attempt is sent again immediately', async () => {
    const { id } = await create()
    receiver.respond = () => {}
    await completeTask()
    await receiver.awaitEvents(1)
    const startedAt = performance.now()
    receiver.respond = acceptEvent
    const [delivery] = await listDeliveries(id)
    await request('POST', `${webhooksPath}/${id}/deliveries/${delivery.id}/resend`)
    await receiver.awaitEvents(2)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    await vi.waitFor(async () =>
      expect(await listDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2, last_attempt: { trigger: 'manual' } }]),
    )
  })

  it.each([
    ['the event itself', false],
    ['another event', true],
  ])('a resend of %s during an attempt that requests a pause is sent immediately', async (_what, isOther) => {
    const { id } = await create()
    receiver.respond = respondWith(500)
    if (isOther) {
      await completeTask()
      await awaitAttemptedDelivery(id)
      await vi.waitFor(async () => {
        const { lease_until } = await service.store.database
          .selectFrom('webhook_endpoints')
          .select('lease_until')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        expect(lease_until).toBeNull()
      })
    }
    const [otherDelivery] = await listDeliveries(id)
    const { promise: held, resolve } = Promise.withResolvers<ServerResponse>()
    receiver.respond = resolve
    await completeTask()
    const response = await held
    const [delivery] = await listDeliveries(id)
    const resent = isOther ? otherDelivery : delivery
    receiver.respond = acceptEvent
    const countBefore = receiver.received.length
    await request('POST', `${webhooksPath}/${id}/deliveries/${resent.id}/resend`)
    response.writeHead(503, { 'retry-after': '3600' }).end()
    await receiver.awaitEvents(countBefore + 1)
    expect(receiver.received.at(-1)?.json.id).toBe(resent.event)
  })

  it('a resend of several failed events does not end a pause that the first of them causes', async () => {
    const { id } = await create()
    receiver.respond = respondWith(410)
    for (let count = 1; count <= 3; count++) {
      await completeTask()
      await vi.waitFor(async () => expect(await listDeliveries(id, '?status=failed')).toHaveLength(count))
      await vi.waitFor(async () => expect((await request('GET', `${webhooksPath}/${id}`)).json.enabled).toBe(false))
      await request('PATCH', `${webhooksPath}/${id}`, { enabled: true })
    }
    receiver.respond = respondWith(503, { 'retry-after': '3600' })
    await request('POST', `${webhooksPath}/${id}/resend-failed`, { since: 0 })
    await receiver.awaitEvents(4)
    await sleep(300)
    expect(receiver.received).toHaveLength(4)
  })

  it('a resend of failed events queues all of them or, if its commit fails, none', async () => {
    const { id } = await create()
    receiver.respond = respondWith(410)
    await completeTask()
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=failed')).toHaveLength(1))
    await vi.waitFor(async () => expect((await request('GET', `${webhooksPath}/${id}`)).json.enabled).toBe(false))
    await request('PATCH', `${webhooksPath}/${id}`, { enabled: true })
    const commit = vi.spyOn(service.store, 'writeAtomically').mockRejectedValueOnce(new Error('the process was killed'))
    expect((await request('POST', `${webhooksPath}/${id}/resend-failed`, { since: 0 })).status).toBe(500)
    expect(await listDeliveries(id, '?status=failed')).toHaveLength(1)
    commit.mockRestore()
    receiver.respond = acceptEvent
    expect((await request('POST', `${webhooksPath}/${id}/resend-failed`, { since: 0 })).json.resent).toBe(1)
    await receiver.awaitEvents(2)
  })

  it('a webhook whose attempts fail for five days is disabled, and disabled_reason says why', async () => {
    const { id } = await create()
    receiver.respond = respondWith(500)
    await completeTask()
    await awaitAttemptedDelivery(id)
    const { failing_since } = (await request('GET', `${webhooksPath}/${id}`)).json
    expect(Math.abs(failing_since - Date.now() / 1000)).toBeLessThan(5)
    service.clockAheadMs = 5 * dayMs - hourMs
    await completeTask()
    await vi.waitFor(async () =>
      expect((await listDeliveries(id)).every((delivery: { attempts: number }) => delivery.attempts > 0)).toBe(true),
    )
    expect((await request('GET', `${webhooksPath}/${id}`)).json.enabled).toBe(true)
    service.clockAheadMs = 5 * dayMs + minuteMs
    await vi.waitFor(async () =>
      expect((await request('GET', `${webhooksPath}/${id}`)).json).toMatchObject({ enabled: false, disabled_reason: 'failing' }),
    )
    service.clockAheadMs = 8 * dayMs
    await vi.waitFor(async () =>
      expect((await listDeliveries(id)).map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed']),
    )
  })

  it('a hanging receiver does not delay others, and its own events wait while it fails', async () => {
    const hanging = await openWebhookReceiver()
    hanging.respond = () => {}
    try {
      const hangingWebhookId = (await create({ url: hanging.url })).id
      await create()
      for (let count = 0; count < 12; count++) await completeTask()
      const startedAt = performance.now()
      await receiver.awaitEvents(12)
      expect(performance.now() - startedAt).toBeLessThan(2_000)
      await vi.waitFor(
        async () => {
          const row = await service.store.database
            .selectFrom('webhook_endpoints')
            .select(['failures', 'paused_until', 'lease_until'])
            .where('id', '=', hangingWebhookId)
            .executeTakeFirstOrThrow()
          expect(row.failures).toBe(5)
          expect(row.paused_until).toBeGreaterThan(Date.now() + 20_000)
          expect(row.lease_until).toBeNull()
        },
        { timeout: 5_000 },
      )
      expect(hanging.received).toHaveLength(5)
      hanging.respond = acceptEvent
      service.clockAheadMs = 31_000
      await hanging.awaitEvents(17)
      await vi.waitFor(async () => expect(await listDeliveries(hangingWebhookId, '?status=delivered')).toHaveLength(12))
      expect((await request('GET', `${webhooksPath}/${hangingWebhookId}`)).json.failing_since).toBeNull()
    } finally {
      await hanging[Symbol.asyncDispose]()
    }
  })

  it('a webhook receives at most its limit of requests per second', async () => {
    const { id } = await create({ rate_limit: 20 })
    await completeTasks(8)
    await receiver.awaitEvents(1)
    const startedAt = performance.now()
    await receiver.awaitEvents(8)
    expect(performance.now() - startedAt).toBeGreaterThan(250)
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=delivered')).toHaveLength(8))
  })

  it('the limit of requests per second applies to events that arrive one after the other', async () => {
    await create({ rate_limit: 2 })
    await completeTask()
    await receiver.awaitEvents(1)
    const startedAt = performance.now()
    for (let count = 2; count <= 4; count++) {
      await completeTask()
      await receiver.awaitEvents(count)
    }
    expect(performance.now() - startedAt).toBeGreaterThan(1_200)
  })

  it('a change of a webhook applies to events that are already queued', async () => {
    // Events for ten seconds, so that some are still queued after both changes.
    const { id } = await create({ rate_limit: 4 })
    await completeTasks(40)
    await receiver.awaitEvents(1)
    await request('PATCH', `${webhooksPath}/${id}`, { url: `${receiver.url}/new` })
    await vi.waitFor(() => expect(receiver.received.at(-1)).toMatchObject({ path: '/hook/new' }), { timeout: 2_000 })
    await request('PATCH', `${webhooksPath}/${id}`, { enabled: false })
    await vi.waitFor(async () => expect(await listDeliveries(id, '?status=pending')).toEqual([]), { timeout: 5_000 })
    expect((await listDeliveries(id, '?status=failed')).length).toBeGreaterThan(0)
    expect(await listDeliveries(id, '?status=delivered')).toHaveLength(receiver.received.length)
  })
})

describe('several workers', () => {
  it('two workers send each event once', async () => {
    const secondWorker = await openDeliverer(service)
    try {
      const ids = [(await create()).id, (await create()).id]
      for (let count = 0; count < 10; count++) await completeTask()
      await receiver.awaitEvents(20)
      for (const id of ids) {
        await vi.waitFor(async () => expect(await listDeliveries(id, '?status=delivered')).toHaveLength(10))
      }
      expect(receiver.received).toHaveLength(20)
    } finally {
      await secondWorker[Symbol.asyncDispose]()
    }
  })

  it('a worker that has lost its lease writes no result, and the next worker sends the event again', async () => {
    const { id } = await create()
    let isTaken = false
    receiver.respond = (response, event) => {
      if (isTaken) return acceptEvent(response, event)
      isTaken = true
      // Simulates another worker that claims the endpoint while this request is in flight.
      void service.store.database
        .updateTable('webhook_endpoints')
        .set((row) => ({ lease_fence: row('lease_fence', '+', 1), lease_until: null }))
        .where('id', '=', id)
        .execute()
        .then(() => response.end('late'))
    }
    await completeTask()
    const [firstEvent, secondEvent] = await receiver.awaitEvents(2)
    expect(secondEvent!.signed['webhook-id']).toBe(firstEvent!.signed['webhook-id'])
    expect(await awaitAttemptedDelivery(id)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_attempt: { response_body: 'ok' },
    })
  })
})

describe('with requests that may take half a minute', () => {
  let service: HttpService
  let account: TestAccount
  beforeEach(async () => {
    service = await openHttpService({ allowHosts: ['127.0.0.1'] })
    account = await service.newAccount(100)
  })
  afterEach(() => service[Symbol.asyncDispose]())

  const send = async (method: string, path: string, body?: object, { key } = account) =>
    (await service.request(method, path, { key, ...(body && { body }) })).json
  async function causeEvent(owner = account): Promise<void> {
    const { id } = await send('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x' }, owner)
    await send('POST', `${tasksPath}/${id}/cancel`, undefined, owner)
  }

  it.each([
    ['without a response', (response: ServerResponse) => void response.destroy()],
    ['with a 410', respondWith(410)],
  ])(
    'an earlier request that fails %s after a disabled webhook was enabled again is retried, and the webhook stays enabled',
    async (_what, fail) => {
      await using _worker = await openDeliverer(service, { timeoutMs: 30_000 })
      const { id } = await send('POST', webhooksPath, { url: receiver.url })
      const held = Promise.withResolvers<[ServerResponse, ReceivedEvent]>()
      receiver.respond = (response, event) => {
        const count = receiver.received.indexOf(event)
        if (count === 0) response.end('ok')
        else if (count === 1) held.resolve([response, event])
        else response.writeHead(410).end()
      }
      await Promise.all([causeEvent(), causeEvent(), causeEvent()])
      const webhook = () => send('GET', `${webhooksPath}/${id}`)
      await vi.waitFor(async () => expect(await webhook()).toMatchObject({ disabled_reason: 'gone' }), { interval: 10 })
      await send('PATCH', `${webhooksPath}/${id}`, { enabled: true })
      receiver.respond = acceptEvent
      const [response, event] = await held.promise
      fail(response, event)
      await vi.waitFor(async () => {
        const { items } = await send('GET', `${webhooksPath}/${id}/deliveries`)
        const delivery = items.find((item: { event: string }) => item.event === event.json.id)
        expect(delivery).toMatchObject({ status: 'pending', attempts: 1 })
      })
      expect(await webhook()).toMatchObject({ enabled: true, disabled_reason: null })
      service.clockAheadMs = 10_000
      await receiver.awaitEvents(4)
      expect(receiver.received.at(-1)?.json.id).toBe(event.json.id)
      expect(await webhook()).toMatchObject({ enabled: true, disabled_reason: null })
    },
  )

  it('slow receivers of one account do not delay the events of another', async () => {
    await using fast = await openWebhookReceiver()
    await using _worker = await openDeliverer(service, { timeoutMs: 30_000, endpointsMax: 4 })
    const held: ServerResponse[] = []
    receiver.respond = (response) => void held.push(response)
    const fastAccount = await service.newAccount(100)
    for (let number = 0; number < 6; number++) await send('POST', webhooksPath, { url: `${receiver.url}/${number}` })
    await send('POST', webhooksPath, { url: fast.url }, fastAccount)
    await causeEvent()
    await vi.waitFor(() => expect(held).toHaveLength(2))
    await causeEvent(fastAccount)
    await fast.awaitEvents(1)
    expect(held).toHaveLength(2)
    receiver.respond = acceptEvent
    for (const response of held) response.end('ok')
    await receiver.awaitEvents(6)
  })
})

it('old deliveries and events are removed, and the erasure of an account removes its webhooks', async () => {
  const { createWebhookRemoval } = await import('../src/webhooks/remove-webhooks.ts')
  const { id } = await create()
  await completeTask({ webhook_url: `${receiver.url}/secret-path` })
  await receiver.awaitEvents(2)
  await awaitAttemptedDelivery(id)
  const { store } = service
  const removal = createWebhookRemoval({ store, retentionMs: dayMs, clock: () => Date.now() + service.clockAheadMs })
  const { signal } = new AbortController()
  await removal.sweep(signal)
  expect(await listDeliveries(id)).toHaveLength(1)
  service.clockAheadMs = dayMs + 2 * hourMs
  await removal.sweep(signal)
  expect(await listDeliveries(id)).toEqual([])
  for (const table of ['webhook_deliveries', 'events'] as const) {
    expect(await store.database.selectFrom(table).selectAll().execute()).toEqual([])
  }
  await completeTask({ webhook_url: `${receiver.url}/secret-path` })
  await receiver.awaitEvents(4)
  await removal.eraseAccount(account.accountNo, signal)
  for (const table of ['webhook_endpoints', 'webhook_secrets', 'events'] as const) {
    expect(await store.database.selectFrom(table).selectAll().where('account_no', '=', account.accountNo).execute()).toEqual([])
  }
})
