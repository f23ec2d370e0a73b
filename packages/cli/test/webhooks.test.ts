import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts'
import { startFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
let receiver: WebhookReceiver
beforeAll(async () => {
  service = await startService({ FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
  receiver = await openWebhookReceiver()
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await service.close()
})

const image = { model: 'imgA-5.0', prompt: 'a kite', simulate: { seconds: 0 } } as const

it('framegate webhooks creates, tests, changes and deletes a webhook, and shows its deliveries', async () => {
  const empty = await service.run(['webhooks', 'list'])
  expect(empty.stderr).toContain('framegate webhooks create')
  const created = await service.run(['webhooks', 'create', receiver.url, '--events', 'task.completed', '--description', 'shop'])
  expect([created.exitCode, created.stdout]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)])
  const [webhook] = JSON.parse((await service.run(['webhooks', 'list', '--json'])).stdout).items
  expect(webhook).toMatchObject({ url: receiver.url, description: 'shop', events: ['task.completed'] })

  await service.client.tasks.createAndWait(image)
  const [event] = await receiver.awaitEvents(1)
  new StandardWebhook(created.stdout.trim()).verify(event!.body, event!.signed)
  await vi.waitFor(
    async () => {
      const view = await service.run(['webhooks', 'deliveries', webhook.id])
      expect(view.stdout).toMatch(/task\.completed\s+delivered/)
    },
    { timeout: 5_000 },
  )
  const [delivery] = JSON.parse((await service.run(['webhooks', 'deliveries', webhook.id, '--json'])).stdout).items
  expect((await service.run(['webhooks', 'resend', webhook.id, delivery.id])).exitCode).toBe(0)
  expect((await service.run(['webhooks', 'test', webhook.id])).exitCode).toBe(0)
  await receiver.awaitEvents(3)
  expect((await service.run(['webhooks', 'resend', webhook.id, '--failed-since', '2026-01-01'])).stdout).toBe(
    '0 deliveries are sent again\n',
  )
  for (const selection of [[], [delivery.id, '--failed-since', '2026-01-01']]) {
    expect(await service.run(['webhooks', 'resend', webhook.id, ...selection])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Give either a delivery id or --failed-since.'),
    })
  }

  const updated = await service.run(['webhooks', 'update', webhook.id, '--disable', '--rate-limit', '5', '--json'])
  expect(JSON.parse(updated.stdout)).toMatchObject({ enabled: false, rate_limit: 5 })
  expect((await service.run(['webhooks', 'list'])).stdout).toContain('disabled')
  const rotated = await service.run(['webhooks', 'rotate', webhook.id])
  expect(rotated.stdout).not.toBe(created.stdout)
  expect((await service.run(['webhooks', 'secret'])).stdout).toMatch(/^whsec_/)
  expect((await service.run(['webhooks', 'delete', webhook.id])).stdout).toBe(`${webhook.id} deleted\n`)
  const refused = await service.run(['webhooks', 'create', 'http://10.0.0.1/'])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('url must be a public https address')])
})

const alert = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await service.run(['credits', 'alert', ...args])
  return [exitCode, stdout, stderr]
}

it('framegate credits alert sets, shows and removes the balance below which an event is sent', async () => {
  expect(await alert()).toEqual([0, 'The event credits.low is off.\n', ''])
  expect(await alert('100.5')).toEqual([0, 'The event credits.low is sent when the balance falls below 100.5 credits.\n', ''])
  expect(JSON.parse(String((await alert('--json'))[1]))).toEqual({ object: 'credit_alert', below: 100.5 })
  expect(await alert('--off')).toEqual([0, 'The event credits.low is off.\n', ''])
  expect((await alert('0'))[0]).toBe(2)
  expect((await alert('5', '--off')).slice(0, 2)).toEqual([2, ''])
})

it('framegate listen forwards signed events to a local address, and prints each with its response', async () => {
  receiver.received.length = 0
  const secret = (await service.run(['webhooks', 'secret'])).stdout.trim()
  const listen = startFramegate(['listen', '--forward-to', receiver.url], {
    cwd: service.cwd,
    env: { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
  })
  await vi.waitFor(() => expect(listen.stderr()).toContain(secret), { timeout: 10_000 })
  // Creates tasks until the first event shows that the stream is open.
  await vi.waitFor(
    async () => {
      await service.client.tasks.createAndWait(image)
      expect(receiver.received.length).toBeGreaterThan(0)
    },
    { timeout: 30_000, interval: 100 },
  )
  const event = receiver.received[0]!
  expect(new StandardWebhook(secret).verify(event.body, event.signed)).toMatchObject({ type: 'task.completed' })
  expect(event.body).not.toContain('streamId')
  await vi.waitFor(() => expect(listen.stdout()).toMatch(/task\.completed task_\w+ -> 200 in \d+ ms/))
  listen.child.kill('SIGINT')
  expect((await listen.ended).exitCode).toBe(130)
  const invalid = await service.run(['listen', '--forward-to', 'localhost:3000'])
  expect([invalid.exitCode, invalid.stderr]).toEqual([2, expect.stringContaining('--forward-to must be')])
})

it('an operator lists the webhooks of all accounts with framegate webhooks all, and suspends and resumes one', async () => {
  const { id } = JSON.parse((await service.run(['webhooks', 'create', receiver.url, '--json'])).stdout)
  const all = await service.run(['webhooks', 'all', '--account', 'acct_default'])
  expect(all.stdout).toMatch(/^ID +ACCOUNT +STATE +FAILURES +URL\n/)
  expect(all.stdout).toContain(id)
  expect((await service.run(['webhooks', 'all', '--failing'])).stderr).toContain('No webhook is failing.')
  expect((await service.run(['webhooks', 'suspend', id])).stdout).toMatch(/^state +disabled \(suspended\)$/m)
  expect(JSON.parse((await service.run(['webhooks', 'resume', id, '--json'])).stdout)).toMatchObject({ id, enabled: true })
  await service.run(['webhooks', 'delete', id])
})
