import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const day = 24 * 60 * 60 * 1000
const tasks = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }

let service: HttpService
let nowMs = Date.UTC(2026, 0, 15, 12)
beforeEach(async () => {
  service = await openHttpService({ clock: () => nowMs })
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

it('shows what expires, spends it first, and takes it away when its day has come', async () => {
  const { accountNo, key } = await service.newAccount(1)
  await service.store.grant(accountNo, 60_000, 'welcome', { expiresAtMs: nowMs + day })
  const credits = async () => (await service.request('GET', '/v2/credits', { key })).json
  expect(await credits()).toEqual({
    object: 'credits',
    balance: 1.06,
    held: 0,
    expiring: [{ amount: 0.06, expires_at: Math.floor((nowMs + day) / 1000) }],
  })
  expect((await service.request('POST', tasks, { body: image, key })).status).toBe(202)
  expect(await credits()).toMatchObject({ balance: 1.02, held: 0.04, expiring: [{ amount: 0.02 }] })
  nowMs += day
  expect(await credits()).toMatchObject({ balance: 1, held: 0.04, expiring: [] })
  const quote = await service.request('POST', `${tasks}/quote`, { body: { ...image, resolution: '2K' }, key })
  expect(quote.json).toMatchObject({ amount: 0.08, available: true })
})

it('accepts as many of 64 racing submits as the balance covers, and not one more', async () => {
  for (let round = 0; round < 5; round++) {
    const { key } = await service.newAccount(0.4)
    const answers = await Promise.all(Array.from({ length: 64 }, () => service.request('POST', tasks, { body: image, key })))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(54)
    expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 0, held: 0.4 })
  }
})

it('goes through the books for an operator, and for nobody else', async () => {
  const check = '/admin/v1/credits/verify'
  expect((await service.request('GET', check)).json).toEqual({
    object: 'credits_check',
    accounts: 1,
    entries: 1,
    holds: 0,
    differences: 0,
    found: [],
  })
  const set = (balance: number) =>
    service.store.query.updateTable('accounts').set({ balance }).where('no', '=', service.accountNo).execute()
  await set(1)
  expect((await service.request('GET', check)).json).toMatchObject({
    differences: 1,
    found: ['account acct_1 has balance 1 and holds 0, its entries say 1000000000 and 0'],
  })
  await set(1_000_000_000)
  const { key } = await service.newAccount(1, ['tasks:read', 'tasks:write'])
  expect((await service.request('GET', check, { key })).json.error.code).toBe('key_scope_missing')
})
