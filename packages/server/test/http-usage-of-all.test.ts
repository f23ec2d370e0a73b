import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimEmbedded, resultOf } from '../src/db/store-under-test.ts'
import type { AttemptNote } from '../src/db/task-queue.ts'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const video = { model: 'vidDq3-turbo', prompt: 'a kite over a beach', seconds: 10 }
const dayMs = 24 * 60 * 60 * 1000
const leaseMs = 60_000

let service: HttpService
let nowMs = 0
let firstAccount: TestAccount
let secondAccount: TestAccount
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 15, 12)
  service = await openHttpService({ clock: () => nowMs })
  const row = { credential: null, created_at: 0 }
  await service.store.database
    .insertInto('route_snapshots')
    .values([
      { no: 1, digest: 'a', definition: '{"name":"fast","upstream":"north"}', name: 'fast', upstream: 'north', ...row },
      { no: 2, digest: 'b', definition: '{"name":"cheap","upstream":"south"}', name: 'cheap', upstream: 'south', ...row },
    ])
    .execute()
  firstAccount = await service.newAccount(100)
  secondAccount = await service.newAccount(100)
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit(body: object, { key }: TestAccount): Promise<string> {
  return (await service.request('POST', tasksPath, { body, key })).json.id
}

/**
 * Submits and completes a task on the route snapshot with this number. `paidMicroCredits` is the
 * cost of the provider's job, or null if the cost is unknown.
 */
async function completeTask(
  body: object,
  owner: TestAccount,
  snapshotNo: number,
  chargeMicroCredits: number,
  paidMicroCredits: number | null,
): Promise<void> {
  await submit(body, owner)
  const [claim] = await claimEmbedded(service.store, 1, leaseMs, { route: `route ${snapshotNo}`, snapshotNo })
  const durationMs = claim!.task.object === 'video' ? 10_000 : null
  await service.store.complete(claim!, [{ ...resultOf(claim!), durationMs }], chargeMicroCredits, { paidMicroCredits })
}

async function failTask(body: object, owner: TestAccount, note: Partial<AttemptNote>): Promise<string> {
  const id = await submit(body, owner)
  const [claim] = await claimEmbedded(service.store, 1, leaseMs, { route: 'fast', snapshotNo: 1 })
  await service.store.fail(claim!, { code: 'upstream_failed', message: 'x' }, note)
  return id
}

const readReport = async (query: string) => (await service.request('GET', `/admin/v1/usage${query}`)).json

const namesOf = (owner: TestAccount) => ({ account: owner.accountId, account_name: expect.any(String) })

const readMoney = async () => {
  const { cost, cost_unknown, margin } = (await readReport('?by=route')).total
  return [cost, cost_unknown, margin]
}

describe('the usage of all accounts', () => {
  it('usage adds up tasks, amounts, costs and margins by account and model, with ids and names', async () => {
    await completeTask(video, firstAccount, 1, 400_000, 150_000)
    await completeTask(video, firstAccount, 2, 400_000, 100_000)
    nowMs += dayMs
    await completeTask(image, firstAccount, 0, 40_000, null)
    await completeTask(video, secondAccount, 1, 400_000, null)
    await failTask(video, secondAccount, {})
    const noTokens = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 }
    const sums = { failed: 0, seconds: 0, corrections: 0, cost_unknown: 0, ...noTokens }
    const firstAccountRows = [
      { ...namesOf(firstAccount), model: 'imgA-5.0', ...sums, tasks: 1, completed: 1, amount: 0.04, cost: 0, margin: 0.04 },
      {
        ...namesOf(firstAccount),
        model: 'vidDq3-turbo',
        ...sums,
        tasks: 2,
        completed: 2,
        seconds: 20,
        amount: 0.8,
        cost: 0.25,
        margin: 0.55,
      },
    ]
    const secondAccountRow = {
      ...namesOf(secondAccount),
      model: 'vidDq3-turbo',
      ...sums,
      tasks: 2,
      completed: 1,
      failed: 1,
      seconds: 10,
      amount: 0.4,
      cost: null,
      cost_unknown: 1,
      margin: null,
    }
    expect(await readReport('?by=account,model')).toEqual({
      object: 'usage_report',
      from: '2025-12-18',
      to: '2026-01-16',
      items:
        firstAccount.accountId < secondAccount.accountId
          ? [...firstAccountRows, secondAccountRow]
          : [secondAccountRow, ...firstAccountRows],
      total: {
        tasks: 5,
        completed: 4,
        failed: 1,
        seconds: 30,
        amount: 1.24,
        cost: 0.25,
        cost_unknown: 1,
        margin: 0.99,
        corrections: 0,
        ...noTokens,
      },
    })
    expect((await readReport('?by=day&from=2026-01-16&to=2026-01-16')).items).toMatchObject([
      { day: '2026-01-16', tasks: 3, amount: 0.44, cost: null, cost_unknown: 1, margin: null },
    ])
    expect((await readReport('?by=upstream,route')).items).toMatchObject([
      { route: 'cheap', upstream: 'south', tasks: 1, amount: 0.4, cost: 0.1, margin: 0.3 },
      { route: 'embedded', upstream: 'embedded', tasks: 1, amount: 0.04, cost: 0, margin: 0.04 },
      { route: 'fast', upstream: 'north', tasks: 3, amount: 0.8, cost: 0.15, cost_unknown: 1, margin: 0.65 },
    ])
    expect((await readReport('?by=brand')).items).toMatchObject([
      { brand: 'brand_default', brand_name: expect.any(String), tasks: 5 },
    ])
    const byKey = (await readReport(`?by=key&account=${secondAccount.accountId}`)).items
    expect(byKey).toMatchObject([{ key: secondAccount.keyId, key_name: expect.any(String), tasks: 2 }])
    expect((await readReport('?by=model&model=imgA-5.0')).total).toMatchObject({ tasks: 1, amount: 0.04 })
    expect((await readReport('?by=model&brand=brand_other')).items).toEqual([])
  })

  it('the usage of an account in the report equals the usage that the account sees', async () => {
    await completeTask(video, firstAccount, 1, 400_000, 1)
    await completeTask(video, firstAccount, 2, 123_457, 1)
    await failTask(image, firstAccount, {})
    const ownTotal = (await service.request('GET', '/v2/usage', { key: firstAccount.key })).json.total
    const { total } = await readReport(`?account=${firstAccount.accountId}`)
    expect([total.completed, total.failed, total.amount, total.seconds]).toEqual([
      ownTotal.completed,
      ownTotal.failed,
      ownTotal.charged,
      ownTotal.seconds,
    ])
  })

  it('the usage report changes if an operator resolves an attempt of a failed task', async () => {
    const id = await failTask(video, firstAccount, { unresolved: 'lost_reply' })
    expect(await readMoney()).toEqual([null, 1, null])
    const attempt = `/admin/v1/attempts/${id}_1`
    expect((await service.request('GET', attempt)).json.cost_credits).toBe(null)
    const resolution = { resolution: 'was_not_started' }
    expect((await service.request('POST', `${attempt}/resolve`, { body: resolution })).json.cost_credits).toBe(0)
    expect(await readMoney()).toEqual([0, 0, 0])
    await service.request('POST', `${attempt}/resolve`, { body: resolution })
    expect(await readMoney()).toEqual([0, 0, 0])

    const unusableId = await failTask(video, firstAccount, { unresolved: 'unusable_result', paidMicroCredits: 70_000 })
    expect(await readMoney()).toEqual([0.07, 0, -0.07])
    await service.request('POST', `/admin/v1/attempts/${unusableId}_1/resolve`, { body: { resolution: 'accepted_loss' } })
    expect(await readMoney()).toEqual([0.07, 0, -0.07])
  })

  it('a usage report shows corrections separately from the amount, and in an item without a model if it is grouped by model', async () => {
    await completeTask(video, firstAccount, 1, 400_000, 0)
    for (const amount of [0.5, -0.2]) {
      const body = { amount, note: 'a correction' }
      await service.request('POST', `/admin/v1/accounts/${firstAccount.accountId}/adjustments`, { body })
    }
    expect((await readReport(`?by=account,model&account=${firstAccount.accountId}`)).items).toMatchObject([
      { account: firstAccount.accountId, model: 'vidDq3-turbo', amount: 0.4, margin: 0.4, corrections: 0 },
      { account: firstAccount.accountId, model: null, tasks: 0, amount: 0, margin: 0, corrections: 0.3 },
    ])
    expect((await readReport('?by=day')).items).toMatchObject([{ day: '2026-01-15', amount: 0.4, margin: 0.4, corrections: 0.3 }])
    expect((await readReport('?by=day&to=2026-01-14')).items).toEqual([])
  })

  it('a usage report is CSV on the path that ends in .csv and for clients that request CSV', async () => {
    await completeTask(video, firstAccount, 1, 400_000, 150_000)
    const query = `by=model,route&from=2026-01-15&to=2026-01-15`
    for (const [path, accept] of [
      [`/admin/v1/usage.csv?${query}`, '*/*'],
      [`/admin/v1/usage?${query}`, 'text/csv'],
      [`/admin/v1/usage?${query}&format=csv`, '*/*'],
    ] as const) {
      const csv = await service.request('GET', path, { headers: { accept } })
      expect([path, csv.headers.get('content-type')]).toEqual([path, 'text/csv; charset=utf-8'])
      expect(csv.text).toBe(
        'model,route,tasks,completed,failed,seconds,amount,cost,cost_unknown,margin,corrections,' +
          'input_tokens,cached_input_tokens,output_tokens\r\n' +
          'vidDq3-turbo,fast,1,1,0,10,0.4,0.15,0,0.25,0,0,0,0\r\n',
      )
    }
    const csv = await service.request('GET', '/admin/v1/usage.csv?by=account')
    expect(csv.text.split('\r\n')[0]).toMatch(/^account,account_name,tasks,/)
    const refused = await service.request('GET', '/admin/v1/usage.csv', { headers: { accept: 'application/json' } })
    expect(refused.json.error.code).toBe('not_acceptable')
  })

  it('a request for the usage of all accounts is rejected for a key without the scope admin', async () => {
    const client = await service.newAccount(1, ['tasks:read', 'tasks:write'])
    for (const path of ['/admin/v1/usage', '/admin/v1/usage.csv']) {
      const { status, json } = await service.request('GET', path, { key: client.key })
      expect([path, status, json.error.code]).toEqual([path, 403, 'key_scope_missing'])
    }
  })

  it.each([
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-01-16&to=2026-01-15', 'from'],
    ['from=2020-01-01', 'from'],
    ['by=week', 'by'],
    ['by=', 'by'],
  ])('a report of all accounts with %s is rejected', async (query, param) => {
    const { status, json } = await service.request('GET', `/admin/v1/usage?${query}`)
    expect([status, json.error.param]).toEqual([400, param])
  })
})
