import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'
import { plainPng } from './plain-png.ts'

const tasksPath = '/v2/model-center/tasks'

let service: HttpService
let account: TestAccount
beforeAll(async () => {
  service = await openHttpService()
  account = await service.newAccount(100, ['tasks:write', 'tasks:read', 'webhooks:write'])
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Reads a new overview. The service caches an overview for up to five seconds. */
async function readOverview() {
  service.clockAheadMs += 6_000
  return (await service.request('GET', '/admin/v1/overview')).json
}

async function submit(model: string): Promise<string> {
  return (await service.request('POST', tasksPath, { body: { model, prompt: 'a boat' }, key: account.key })).json.id
}

it('the overview counts queued and running tasks and computes the times of completed tasks by model', async () => {
  expect((await readOverview()).tasks).toEqual({ queued: 0, processing: 0, held: 0, oldest_queued: null })
  const ids = [await submit('imgA-5.0'), await submit('imgA-5.0'), await submit('imgA-5.0')]
  await service.startAll()
  for (const id of ids) await service.complete(id, { bytes: plainPng(8, 8) })
  // Sets the times in the database, so that it is known which task determines each percentile.
  for (const [index, seconds] of [2, 4, 60].entries()) {
    const no = (await service.store.database.selectFrom('tasks').select('no').orderBy('no').execute())[index]?.no ?? 0
    const created = Math.floor(no / 4096) + Date.UTC(2020, 0)
    await service.store.database
      .updateTable('tasks')
      .set({ ended_at: created + seconds * 1000 })
      .where('no', '=', no)
      .execute()
  }
  await submit('vidDq3-turbo')
  const overview = await readOverview()
  expect(overview.tasks).toMatchObject({ queued: 1, processing: 0 })
  expect(overview.tasks.oldest_queued).toBeGreaterThan(1_700_000_000)
  expect(overview.models).toEqual([
    { model: 'imgA-5.0', queued: 0, processing: 0, completed: 3, p50_seconds: 4, p95_seconds: 60 },
    { model: 'vidDq3-turbo', queued: 1, processing: 0, completed: 0, p50_seconds: null, p95_seconds: null },
  ])
})

it('the overview shows the last check of the ledger, and null before the first', async () => {
  expect((await readOverview()).ledger).toEqual({ checked: null, differences: null })
  await service.request('GET', '/admin/v1/credits/verify')
  expect((await readOverview()).ledger).toEqual({ checked: expect.any(Number), differences: 0 })
})

it('the overview lists a failing webhook, which an operator disables and enables, and the audit log records both', async () => {
  const url = 'https://hooks.example.com/broken'
  const { id } = (await service.request('POST', '/v2/webhooks', { body: { url }, key: account.key })).json
  expect((await readOverview()).webhooks).toEqual({ failing: 0, items: [] })
  const failing = { failures: 3, is_failing: 1, failing_since: Date.UTC(2026, 0) }
  await service.store.database.updateTable('webhook_endpoints').set(failing).where('id', '=', id).execute()
  const view = {
    object: 'operator_webhook',
    id,
    account: account.accountId,
    account_name: expect.any(String),
    kind: 'account',
    url,
    enabled: true,
    disabled_reason: null,
    failures: 3,
    failing_since: Date.UTC(2026, 0) / 1000,
  }
  expect((await readOverview()).webhooks).toEqual({ failing: 1, items: [view] })
  const list = (query: string) => service.request('GET', `/admin/v1/webhooks${query}`)
  expect((await list('?failing=true')).json.items).toEqual([view])
  expect((await list('?account=acct_unknown')).json.items).toEqual([])
  expect((await list(`?account=${account.accountId}&limit=1`)).json).toMatchObject({ items: [view], has_more: false })

  const path = `/admin/v1/webhooks/${id}`
  const disabled = await service.request('PATCH', path, { body: { enabled: false } })
  expect([disabled.status, disabled.json]).toEqual([200, { ...view, enabled: false, disabled_reason: 'suspended' }])
  expect((await readOverview()).webhooks.failing).toBe(0)
  expect((await service.request('GET', `/v2/webhooks/${id}`, { key: account.key })).json.enabled).toBe(false)
  const enabled = await service.request('PATCH', path, { body: { enabled: true } })
  expect(enabled.json).toMatchObject({ enabled: true, failures: 0, failing_since: null })
  const audit = (await service.request('GET', '/admin/v1/audit?limit=2')).json.items
  expect(audit).toMatchObject([
    { action: 'webhook.change', target: id, after: { enabled: true } },
    { action: 'webhook.change', target: id, before: { enabled: true }, after: { enabled: false } },
  ])
})

it('an account cannot enable, test or resend to a webhook that an operator has suspended', async () => {
  const url = 'https://hooks.example.com/suspended'
  const { id } = (await service.request('POST', '/v2/webhooks', { body: { url }, key: account.key })).json
  const change = (body: object) => service.request('PATCH', `/v2/webhooks/${id}`, { body, key: account.key })
  const suspend = (isSuspended: boolean) =>
    service.request('PATCH', `/admin/v1/webhooks/${id}`, { body: { enabled: !isSuspended } })
  const setEnabled = (enabled: number) =>
    service.store.database.updateTable('webhook_endpoints').set({ enabled }).where('id', '=', id).execute()
  // The account has disabled the webhook itself. The suspension applies nevertheless.
  expect((await change({ enabled: false })).json).toMatchObject({ enabled: false, disabled_reason: null })
  expect((await suspend(true)).json).toMatchObject({ enabled: false, disabled_reason: 'suspended' })

  const rejected = {
    status: 409,
    json: { error: { code: 'conflict', message: expect.stringContaining('only an operator can enable it') } },
  }
  expect(await change({ enabled: true, description: 'ours' })).toMatchObject(rejected)
  const post = (action: string, body?: object) =>
    service.request('POST', `/v2/webhooks/${id}/${action}`, { body, key: account.key })
  expect(await post('test')).toMatchObject(rejected)
  expect(await post('resend-failed', { since: 0 })).toMatchObject(rejected)
  // Other changes are possible, and do not end the suspension.
  expect(await change({ enabled: false, url: `${url}/2` })).toMatchObject({ status: 200 })
  const suspended = (await service.request('GET', `/v2/webhooks/${id}`, { key: account.key })).json
  expect(suspended).toMatchObject({ enabled: false, disabled_reason: 'suspended', description: '', url: `${url}/2` })
  const needsAttention = (await service.request('GET', '/admin/v1/webhooks?failing=true')).json.items
  expect(needsAttention.map((item: { id: string }) => item.id)).not.toContain(id)

  // A process of version 0.1.0, which knows no suspensions, has enabled the webhook.
  await setEnabled(1)
  expect((await suspend(true)).json).toMatchObject({ enabled: false, disabled_reason: 'suspended' })
  await setEnabled(1)
  expect((await suspend(false)).json).toMatchObject({ enabled: true, disabled_reason: null })
  expect((await change({ enabled: false })).json).toMatchObject({ enabled: false, disabled_reason: null })
  expect((await change({ enabled: true })).json).toMatchObject({ enabled: true, disabled_reason: null })
})

it('an unknown webhook and a change without enabled are rejected with a clear error, and clients may not read the overview', async () => {
  const unknown = await service.request('PATCH', '/admin/v1/webhooks/wh_1', { body: { enabled: false } })
  expect([unknown.status, unknown.json.error.message]).toEqual([404, 'There is no webhook with the id wh_1.'])
  const empty = await service.request('PATCH', '/admin/v1/webhooks/wh_1', { body: {} })
  expect([empty.status, empty.json.error.param]).toEqual([400, 'enabled'])
  const clientResponse = await service.request('GET', '/admin/v1/overview', { key: account.key })
  expect(clientResponse.status).toBe(403)
})
