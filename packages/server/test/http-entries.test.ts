import type { CreditEntry } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const entriesPath = '/v2/credits/entries'
const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const dayMs = 24 * 60 * 60 * 1000

let service: HttpService
let key: string
let accountNo: number
let accountId: string
let nowMs = 0
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 15, 12)
  service = await openHttpService({ clock: () => nowMs })
  ;({ key, accountNo, accountId } = await service.newAccount(1))
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const readList = async (query = '', apiKey = key) => (await service.request('GET', entriesPath + query, { key: apiKey })).json
const submit = async (apiKey = key): Promise<string> =>
  (await service.request('POST', tasksPath, { body: image, key: apiKey })).json.id

/** Reads all entries, two per page, and calls `meanwhile` between the pages. */
async function readEveryPage(filter = '', meanwhile = async () => {}): Promise<CreditEntry[]> {
  const entriesFound: CreditEntry[] = []
  for (let cursor = ''; ;) {
    const page = await readList(`?limit=2${filter}${cursor}`)
    entriesFound.push(...page.items)
    expect(page.has_more).toBe(page.next_cursor !== null)
    if (page.next_cursor === null) return entriesFound
    cursor = `&cursor=${page.next_cursor}`
    await meanwhile()
  }
}

const readKinds = async (query: string) => (await readEveryPage(query)).map(({ kind }) => kind)

async function runScenario(): Promise<{ completed: string; cancelled: string }> {
  await service.store.grant(accountNo, 60_000, 'welcome', { expiresAtMs: nowMs + dayMs })
  nowMs += 1_000
  const completed = await submit()
  await service.startAll()
  nowMs += 1_000
  await service.complete(completed, { chargeMicroCredits: 30_000 })
  const cancelled = await submit()
  await service.request('POST', `${tasksPath}/${cancelled}/cancel`, { key })
  await service.store.adjust(accountNo, -10_000, '=granted "twice"')
  return { completed, cancelled }
}

it('credit entries show what has changed the balance, newest first', async () => {
  const { completed, cancelled } = await runScenario()
  const list = await readList()
  const created = nowMs / 1000
  const commonFields = {
    id: expect.stringMatching(/^entry_[0-9a-f]{32}$/),
    object: 'credit_entry',
    task: null,
    request: null,
    note: null,
    expires_at: null,
    held: 0,
    created,
  }
  expect(list).toEqual({
    object: 'list',
    items: [
      { ...commonFields, kind: 'adjust', amount: -0.01, balance_after: 1.02, note: '=granted "twice"' },
      { ...commonFields, kind: 'release', amount: 0.04, held: -0.04, balance_after: 1.03, task: cancelled },
      { ...commonFields, kind: 'hold', amount: -0.04, held: 0.04, balance_after: 0.99, task: cancelled },
      { ...commonFields, kind: 'settle', amount: 0.01, held: -0.04, balance_after: 1.03, task: completed },
      { ...commonFields, kind: 'hold', amount: -0.04, held: 0.04, balance_after: 1.02, task: completed, created: created - 1 },
      {
        ...commonFields,
        kind: 'grant',
        amount: 0.06,
        balance_after: 1.06,
        note: 'welcome',
        expires_at: created + 86_398,
        created: created - 2,
      },
      { ...commonFields, kind: 'grant', amount: 1, balance_after: 1, note: expect.any(String), created: created - 2 },
    ],
    has_more: false,
    next_cursor: null,
  })
  expect(new Set(list.items.map(({ id }: CreditEntry) => id)).size).toBe(7)
})

it('credit entries are filtered by kind, task and time, and by kind in CSV too', async () => {
  const { completed } = await runScenario()
  expect(await readKinds('&kind=grant')).toEqual(['grant', 'grant'])
  expect(await readKinds('&kind=hold')).toEqual(['hold', 'hold'])
  expect(await readKinds(`&task=${completed}`)).toEqual(['settle', 'hold'])
  expect(await readKinds(`&created_after=${nowMs / 1000}`)).toEqual(['adjust', 'release', 'hold', 'settle'])
  expect(await readKinds(`&created_before=${nowMs / 1000}&kind=hold`)).toEqual(['hold'])

  for (const [path, accept] of [
    [`${entriesPath}.csv?kind=adjust`, '*/*'],
    [`${entriesPath}.csv?kind=adjust`, 'text/csv'],
    [`${entriesPath}?kind=adjust`, 'text/csv'],
    [`${entriesPath}?format=csv&kind=adjust`, '*/*'],
  ] as const) {
    const csv = await service.request('GET', path, { key, headers: { accept } })
    expect([path, csv.headers.get('content-type')]).toEqual([path, 'text/csv; charset=utf-8'])
    expect(csv.text).toBe(
      'created,kind,amount,held,balance_after,task,note,expires_at,id\r\n' +
        `2026-01-15T12:00:02Z,adjust,-0.01,0,1.02,,"'=granted ""twice""",,${(await readList('?kind=adjust')).items[0].id}\r\n`,
    )
  }
})

it('further pages do not contain credit entries that are written meanwhile, and all entries add up to the balance', async () => {
  await runScenario()
  const entriesBefore = await readEveryPage()
  const read = await readEveryPage('', async () => void (await submit()))
  expect(read).toEqual(entriesBefore)

  await service.store.grant(accountNo, 70_000, 'for a day', { expiresAtMs: nowMs + dayMs })
  nowMs += dayMs
  const credits = (await service.request('GET', '/v2/credits', { key })).json
  const entriesNow = await readEveryPage()
  expect(entriesNow[0]).toMatchObject({ kind: 'expire', amount: -0.07, balance_after: credits.balance })
  const sumOf = (amountOf: (entry: CreditEntry) => number) =>
    Math.round(entriesNow.reduce((sum, entry) => sum + amountOf(entry), 0) * 1e6) / 1e6
  expect(sumOf(({ amount }) => amount)).toBe(credits.balance)
  expect(sumOf(({ held }) => held)).toBe(credits.held)
  expect(entriesNow.slice(-entriesBefore.length)).toEqual(entriesBefore)
})

describe('credit entries of another account', () => {
  it('another account gets no entries, and ids and cursors reveal nothing to it', async () => {
    const stranger = await service.newAccount(1)
    const firstPage = await readList('?limit=1')
    const entriesBefore = await readList('', stranger.key)
    const { completed } = await runScenario()
    expect(await readList('', stranger.key)).toEqual(entriesBefore)
    expect((await readList(`?task=${completed}`, stranger.key)).items).toEqual([])

    const { next_cursor } = await readList('?limit=1')
    const refused = await service.request('GET', `${entriesPath}?cursor=${next_cursor}`, { key: stranger.key })
    expect([refused.status, refused.json.error.param]).toEqual([400, 'cursor'])
    // Activity of other accounts must not affect the ids and the cursors of this account's entries.
    await using quietService = await openHttpService({ clock: () => Date.UTC(2026, 0, 15, 12) })
    const account = await quietService.newAccount(1)
    expect((await quietService.request('GET', entriesPath, { key: account.key })).json.items[0].id).toBe(firstPage.items[0].id)
  })

  it('the operator sees the entries of every account', async () => {
    await runScenario()
    const path = `/admin/v1/accounts/${accountId}/entries`
    expect((await service.request('GET', path)).json).toEqual(await readList())
    expect((await service.request('GET', `${path}?kind=settle&limit=1`)).json).toEqual(await readList('?kind=settle&limit=1'))
    const client = await service.newAccount(1, ['tasks:read', 'tasks:write'])
    expect((await service.request('GET', path, { key: client.key })).json.error.code).toBe('key_scope_missing')
    expect((await service.request('GET', '/admin/v1/accounts/acct_0/entries')).json.error.code).toBe('resource_not_found')
  })
})

it('invalid parameters of a list of entries are rejected by name', async () => {
  for (const [query, param] of [
    ['cursor=x', 'cursor'],
    [`cursor=${Buffer.from('1.1.0123456789abcdef').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('NaN.1').toString('base64url')}`, 'cursor'],
    ['kind=gift', 'kind'],
    ['task=task_1', 'task'],
    ['created_after=yesterday', 'created_after'],
    ['limit=0', 'limit'],
    ['format=xml', 'format'],
    ['format=csv&limit=5', 'limit'],
    ['format=csv&cursor=x', 'cursor'],
  ]) {
    const { status, json } = await service.request('GET', `${entriesPath}?${query}`, { key })
    expect([query, status, json.error.param]).toEqual([query, 400, param])
  }
})

it('a changed cursor of a list of entries is rejected', async () => {
  await runScenario()
  const { next_cursor } = await readList('?limit=2')
  const [position, ...rest] = Buffer.from(next_cursor, 'base64url').toString().split('.')
  const changed = Buffer.from([Number(position) - 1, ...rest].join('.')).toString('base64url')
  for (const cursor of [changed, `${next_cursor}A`, next_cursor.slice(0, -1)]) {
    expect((await service.request('GET', `${entriesPath}?cursor=${cursor}`, { key })).status).toBe(400)
  }
})

it('a CSV export of credit entries is either complete or rejected', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 500 }, () => service.store.grant(accountNo, 1, 'x')))
  }
  const readCsv = (query = '') => service.request('GET', `${entriesPath}.csv${query}`, { key })
  expect(await readCsv()).toMatchObject({ status: 400, json: { error: { param: 'created_after' } } })
  await service.store.grant(accountNo, 1, 'y')
  nowMs += 1_000
  await service.store.grant(accountNo, 1, 'later')
  expect((await readCsv(`?created_after=${nowMs / 1000}`)).text.split('\r\n')).toHaveLength(3)
})
