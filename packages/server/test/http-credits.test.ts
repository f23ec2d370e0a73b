import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { grantBeyondLimit } from './grant-beyond-limit.ts'
import { metricsToken, openHttpService, type HttpService } from './http-service.ts'

const dayMs = 24 * 60 * 60 * 1000
const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }

let service: HttpService
let nowMs = Date.UTC(2026, 0, 15, 12)
beforeEach(async () => {
  service = await openHttpService({ clock: () => nowMs })
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

it('expiring credits are shown, spent first and removed on their day', async () => {
  const { accountNo, key } = await service.newAccount(1)
  await service.store.grant(accountNo, 60_000, 'welcome', { expiresAtMs: nowMs + dayMs })
  const readCredits = async () => (await service.request('GET', '/v2/credits', { key })).json
  expect(await readCredits()).toEqual({
    object: 'credits',
    balance: 1.06,
    held: 0,
    expiring: [{ amount: 0.06, expires_at: Math.floor((nowMs + dayMs) / 1000) }],
  })
  expect((await service.request('POST', tasksPath, { body: image, key })).status).toBe(202)
  expect(await readCredits()).toMatchObject({ balance: 1.02, held: 0.04, expiring: [{ amount: 0.02 }] })
  nowMs += dayMs
  expect(await readCredits()).toMatchObject({ balance: 1, held: 0.04, expiring: [] })
  const quote = await service.request('POST', `${tasksPath}/quote`, { body: { ...image, resolution: '2K' }, key })
  expect(quote.json).toMatchObject({ amount: 0.08, available: true })
})

it('of 64 concurrent submits, exactly those that the balance covers are accepted', async () => {
  for (let round = 0; round < 5; round++) {
    const { key } = await service.newAccount(0.4)
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => service.request('POST', tasksPath, { body: image, key })),
    )
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(54)
    expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 0, held: 0.4 })
  }
})

it('the ledger check reports a wrong balance, and is for operators only', async () => {
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
    service.store.database.updateTable('accounts').set({ balance }).where('no', '=', service.accountNo).execute()
  await set(1)
  expect((await service.request('GET', check)).json).toMatchObject({
    differences: 1,
    found: ['account acct_1 has balance 1 and held 0, but its entries add up to 1000000000 and 0'],
  })
  await set(1_000_000_000)
  const { key } = await service.newAccount(1, ['tasks:read', 'tasks:write'])
  expect((await service.request('GET', check, { key })).json.error.code).toBe('key_scope_missing')
})

const billion = 1_000_000_000
const grantsPath = (accountId: string) => `/admin/v1/accounts/${accountId}/grants`
const adjustmentsPath = (accountId: string) => `/admin/v1/accounts/${accountId}/adjustments`

async function grant(accountId: string, amount: number, extraFields: object = {}) {
  return service.request('POST', grantsPath(accountId), { body: { amount, ...extraFields } })
}

async function expectReadable(accountId: string, balance: number): Promise<void> {
  const metrics = await readMetrics()
  expect(metrics.status).toBe(200)
  expect(metrics.text).toMatch(/^framegate_credits_balance \d/m)
  const check = await service.request('GET', '/admin/v1/credits/verify')
  expect(check.json).toMatchObject({ differences: 0, found: [] })
  const accounts = await service.request('GET', '/admin/v1/accounts')
  expect(accounts.json.items.find((account: { id: string }) => account.id === accountId)).toMatchObject({ balance })
  const entries = await service.request('GET', `/admin/v1/accounts/${accountId}/entries`)
  expect(entries.json.items[0]).toMatchObject({ balance_after: balance })
}

function readMetrics() {
  return service.request('GET', `${service.origin}/metrics`, { key: metricsToken })
}

describe('sums of credits above the safe integers of JavaScript', () => {
  it('metrics, lists and the ledger check stay readable with ten accounts of a billion credits each', async () => {
    const accounts = []
    for (let i = 0; i < 10; i++) {
      const account = await service.newAccount(0)
      expect((await grant(account.accountId, billion)).json).toMatchObject({ balance: billion })
      accounts.push(account)
    }
    const { accountId = '' } = accounts[0] ?? {}
    const expiresAt = Math.floor(nowMs / 1000) + 3600
    expect((await grant(accountId, billion, { expires_at: expiresAt })).json).toMatchObject({ balance: 2 * billion })
    await expectReadable(accountId, 2 * billion)
    expect((await readMetrics()).text).toMatch(/^framegate_credits_balance 11000001000$/m)
  })

  it('a grant beyond the limit of an account is rejected with the field and the limit, and nothing is written', async () => {
    const { accountId, key } = await service.newAccount(0)
    for (let i = 0; i < 8; i++) expect((await grant(accountId, billion, { reference: `r${i}` })).status).toBe(200)
    const countAudits = async () => (await service.request('GET', '/admin/v1/audit?limit=100')).json.items.length as number
    const auditsBefore = await countAudits()
    const refused = await grant(accountId, 0.000001)
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(refused.json.error.message).toContain('may total at most 8000000000 credits')
    expect(refused.json.error.message).toContain('already has 8000000000')
    const adjusted = await service.request('POST', adjustmentsPath(accountId), { body: { amount: 0.000001, note: 'more' } })
    expect(adjusted.status).toBe(400)
    expect(adjusted.json.error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(await countAudits()).toBe(auditsBefore)
    await expectReadable(accountId, 8 * billion)
    expect((await grant(accountId, billion, { reference: 'r0' })).headers.get('idempotency-replayed')).toBe('true')
    // Granted credits count toward the limit even after a deduction, so that no sum over the ledger
    // exceeds the limit.
    const response = await service.request('POST', adjustmentsPath(accountId), { body: { amount: -0.000001, note: 'less' } })
    expect(response.json).toMatchObject({ balance: 7_999_999_999.999999 })
    expect((await grant(accountId, 0.000001)).status).toBe(400)
    expect((await service.request('POST', tasksPath, { body: image, key })).status).toBe(202)
    expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({
      balance: 7_999_999_999.959999,
      held: 0.04,
    })
  })

  it('a grant or limit above a billion credits is rejected with the largest accepted amount', async () => {
    const { accountId } = await service.newAccount(0)
    const { error } = (await grant(accountId, billion + 1)).json
    expect(error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(error.message).toContain('to 1000000000')
    const adjusted = await service.request('POST', adjustmentsPath(accountId), { body: { amount: -billion - 1, note: 'less' } })
    expect(adjusted.json.error.message).toContain('to 1000000000, or from -1000000000 to -0.000001')
    const limited = await service.request('PATCH', `/admin/v1/accounts/${accountId}`, {
      body: { credits_in_flight_max: billion + 1 },
    })
    expect(limited.json.error.message).toContain('to 1000000000')
  })

  it('an account that an earlier version granted more credits than the limit can be read, spent from and corrected exactly', async () => {
    const { accountNo, accountId, key } = await service.newAccount(0)
    await grantBeyondLimit(service.store, accountNo, [6_000_000_000_000_001n, 6_000_000_000_000_000n])
    await expectReadable(accountId, 12_000_000_000)
    expect((await service.request('POST', tasksPath, { body: image, key })).status).toBe(202)
    for (let i = 0; i < 5; i++) {
      const response = await service.request('POST', adjustmentsPath(accountId), {
        body: { amount: -billion, note: 'given too much' },
      })
      expect(response.status).toBe(200)
    }
    await expectReadable(accountId, 6_999_999_999.960001)
    expect((await grant(accountId, 1)).status).toBe(400)
  })
})
