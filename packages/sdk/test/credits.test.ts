import { afterAll, beforeAll, expect, it } from 'vitest'
import { Framegate, type CreditEntry, type FramegateError } from '../src/index.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: Framegate
beforeAll(async () => {
  service = await startService()
  const operator = service.client
  const { id } = await operator.request<{ id: string }>({
    method: 'POST',
    path: '/admin/v1/accounts',
    body: { name: 'Studio North' },
  })
  const { key } = await operator.request<{ key: string }>({ method: 'POST', path: `/admin/v1/accounts/${id}/keys`, body: {} })
  const grants = `/admin/v1/accounts/${id}/grants`
  await operator.request({ method: 'POST', path: grants, body: { amount: 2.5, note: 'welcome' } })
  await operator.request({ method: 'POST', path: grants, body: { amount: 1, note: 'until 2096', expires_at: 4_000_000_000 } })
  client = new Framegate({ baseUrl: service.baseUrl, apiKey: key })
})
afterAll(() => service[Symbol.asyncDispose]())

it('the SDK returns the balance of the account, and its ledger in pages', async () => {
  expect(await client.credits.balance()).toEqual({
    object: 'credits',
    balance: 3.5,
    held: 0,
    expiring: [{ amount: 1, expires_at: 4_000_000_000 }],
  })
  const task = await client.tasks.createAndWait({ model: 'imgA-5.0', prompt: 'a paper boat' })
  const entries: CreditEntry[] = []
  for await (const entry of await client.credits.entries({ limit: 1 })) entries.push(entry)
  expect(entries.map(({ kind, amount, held, task: id, note }) => [kind, amount, held, id, note])).toEqual([
    ['settle', 0, -task.amount, task.id, null],
    ['hold', -task.amount, task.amount, task.id, null],
    ['grant', 1, 0, null, 'until 2096'],
    ['grant', 2.5, 0, null, 'welcome'],
  ])
  expect((await client.credits.balance()).balance).toBe(entries[0]?.balance_after)

  const first = await client.credits.entries({ kind: 'grant', limit: 1 })
  expect([first.items.length, first.has_more]).toEqual([1, true])
  const second = await client.credits.entries({ kind: 'grant', limit: 1, cursor: first.next_cursor ?? '' })
  expect([second.items[0]?.note, second.has_more, second.next_cursor]).toEqual(['welcome', false, null])
  const { items } = await client.credits.entries({ task: task.id, created_after: 1, created_before: 4_000_000_000 })
  expect(items.map(({ kind }) => kind)).toEqual(['settle', 'hold'])
})

it('usage.get returns the usage of the account, grouped as requested', async () => {
  const { amount } = await client.tasks.createAndWait({ model: 'imgA-5.0', prompt: 'a second boat' })
  const { rows, total, from, until } = await client.usage.get({ by: ['model', 'key'] })
  const tokens = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 }
  const figures = { completed: 2, failed: 0, charged: 2 * amount, seconds: 0, ...tokens }
  expect(rows).toEqual([{ model: 'imgA-5.0', key: expect.stringMatching(/^key_/), ...figures }])
  expect(total).toEqual(figures)
  expect(await client.usage.get({ by: 'day', from, until })).toMatchObject({ from, until, rows: [{ day: until, completed: 2 }] })
  expect((await client.usage.get()).rows[0]).not.toHaveProperty('model')
})

it('usage.get names the invalid option of a report', async () => {
  const refusal = await client.usage.get({ from: 'yesterday' }).catch((error: FramegateError) => error)
  expect(refusal).toMatchObject({ code: 'invalid_parameter', param: 'from', status: 400 })
})

it('requests for credits and usage reject with the reason of an aborted signal', async () => {
  const signal = AbortSignal.abort(new Error('no longer needed'))
  await expect(client.credits.entries({ signal })).rejects.toThrow('no longer needed')
  await expect(client.credits.balance({ signal })).rejects.toThrow('no longer needed')
  await expect(client.usage.get({ signal })).rejects.toThrow('no longer needed')
})
