import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'
import { acceptEvent, openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const tasksPath = '/v2/model-center/tasks'
const testTimeoutMs = 120_000

let folder: string
let receiver: WebhookReceiver
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-kill-deliveries-'))
  receiver = await openWebhookReceiver()
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const start = () => startServer(path.join(folder, 'data'), { FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
async function submitTask(server: StartedServer): Promise<string> {
  const body = { model: 'imgA-5.0', prompt: 'a kite', simulate: { seconds: 0 } }
  return ((await (await server.request('POST', tasksPath, body)).json()) as Task).id
}

it(
  'a service that is killed at any step of a delivery loses no event, and resends at most the delivery in flight',
  async () => {
    let server = await start()
    const created = await server.request('POST', '/v2/webhooks', { url: receiver.url })
    expect(created.status).toBe(201)
    const ids: string[] = []
    const steps: readonly (readonly [string, (kill: () => void) => void])[] = [
      ['when the receiver has the request', (kill) => (receiver.respond = kill)],
      [
        'when the receiver has responded',
        (kill) => (receiver.respond = (response, event) => (acceptEvent(response, event), kill())),
      ],
      [
        'a moment after the response',
        (kill) => (receiver.respond = (response, event) => (acceptEvent(response, event), setTimeout(kill, 5))),
      ],
      ['right after the submit', (kill) => kill()],
      ['shortly after the submit', (kill) => setTimeout(kill, 30)],
    ]
    for (const [, prepare] of steps) {
      receiver.respond = acceptEvent
      ids.push(await submitTask(server))
      const { promise: killed, resolve } = Promise.withResolvers<void>()
      prepare(() => {
        receiver.respond = acceptEvent
        void server.kill().then(resolve)
      })
      await killed
      server = await start()
    }
    receiver.respond = acceptEvent
    await vi.waitFor(() => expect(new Set(receiver.received.map(({ json }) => json.data.id))).toEqual(new Set(ids)), {
      timeout: 20_000,
      interval: 20,
    })
    await vi.waitFor(async () => {
      const list = (await (await server.request('GET', '/v2/webhooks')).json()) as { items: { id: string }[] }
      const deliveriesPath = `/v2/webhooks/${list.items[0]!.id}/deliveries?status=delivered&limit=100`
      expect(((await (await server.request('GET', deliveriesPath)).json()) as { items: unknown[] }).items).toHaveLength(
        ids.length,
      )
    })
    expect(await server.stop()).toBe(0)
    // Each kill leads to at most one repeated request: the request that was in flight.
    expect(receiver.received.length).toBeLessThanOrEqual(ids.length + steps.length)
    for (const id of ids) {
      const events = receiver.received.filter(({ json }) => json.data.id === id)
      expect(new Set(events.map(({ signed }) => signed['webhook-id'])).size).toBe(1)
    }
  },
  testTimeoutMs,
)
