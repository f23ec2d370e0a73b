import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeAccount, createAccount } from '../src/auth/accounts.ts'
import { scopes } from '../src/auth/scopes.ts'
import { openHttpService, type HttpService, type RequestOptions } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const modelsPath = '/v2/model-center/models'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const video = { model: 'vidDq3-turbo', prompt: 'a red fox', seconds: 5 }
const hourMs = 60 * 60 * 1000

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

async function statusOf(key: string): Promise<number> {
  return (await service.request('GET', '/v2/credits', { key })).status
}

const submit = (options: RequestOptions) => service.request('POST', tasksPath, { body: image, ...options })

it('the old and the new secret of a key overlap and count as one key', async () => {
  const { key, keyId } = await service.newAccount(1, scopes, { tasksInFlightMax: 1 })
  const rotated = await service.keys.rotateKey(keyId, hourMs)
  expect(rotated).toMatchObject({ id: keyId, key: expect.stringMatching(/^fg_live_/) })
  const newKey = rotated?.key ?? ''
  expect((await submit({ key })).status).toBe(202)
  expect((await submit({ key: newKey })).json.error.code).toBe('too_many_tasks_in_flight')
  service.clockAheadMs = hourMs
  expect([await statusOf(key), await statusOf(newKey)]).toEqual([401, 200])
  expect(await service.keys.rotateKey('key_none', 0)).toBeUndefined()
})

it('secrets of keys are not stored, and the time of last use is stored', async () => {
  const { key, keyId } = await service.newAccount(1)
  const startMs = Date.now()
  await statusOf(key)
  await service.keys[Symbol.asyncDispose]()
  const row = await service.store.database.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirstOrThrow()
  expect(row.last_used_at).toBeGreaterThanOrEqual(startMs)
  const secrets = await service.store.database.selectFrom('api_key_secrets').selectAll().execute()
  expect(JSON.stringify([row, secrets])).not.toContain(key.slice('fg_live_'.length))
})

it('a body that arrives after the key was revoked, or its account suspended, changes nothing', async () => {
  const { promise: areRevoked, resolve: sendRest } = Promise.withResolvers<void>()
  const slowly = async (key: string, path: string, body: string, contentType = 'application/json') => {
    const bytes = new TextEncoder().encode(body)
    const chunks = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, 10))
        // Only a slow body is checked again.
        await Promise.all([areRevoked, sleep(400)])
        controller.enqueue(bytes.subarray(10))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': contentType }
    const response = await fetch(service.baseUrl + path, { method: 'POST', headers, body: chunks, duplex: 'half' })
    const { error } = (await response.json()) as { error?: { code: string } | null }
    return [response.status, error?.code]
  }
  const revoked = await service.newAccount(1, scopes)
  const suspended = await service.newAccount(1)
  const form = '--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na fox\r\n--b--\r\n'
  const responses = Promise.all([
    slowly(revoked.key, tasksPath, JSON.stringify(image)),
    slowly(revoked.key, '/v1/videos', form, 'multipart/form-data; boundary=b'),
    slowly(suspended.key, tasksPath, JSON.stringify(image)),
    slowly((await service.newAccount(1)).key, tasksPath, JSON.stringify(image)),
  ])
  await sleep(100)
  await service.keys.revokeKey(revoked.keyId)
  await changeAccount(service.store, suspended.accountId, { status: 'suspended' })
  await service.keys.reload()
  sendRest()
  expect(await responses).toEqual([
    [401, 'invalid_api_key'],
    [401, 'invalid_api_key'],
    [403, 'account_suspended'],
    [202, undefined],
  ])
})

it('changes of keys and accounts by another process apply within a second', async () => {
  const revoked = await service.newAccount(1)
  const suspended = await service.newAccount(1)
  const limited = await service.newAccount(1)
  const secondConnection = new DatabaseSync(service.databaseFile, { timeout: 5000 })
  secondConnection.prepare('update api_keys set revoked_at = 1 where id = ?').run(revoked.keyId)
  secondConnection.prepare("update accounts set status = 'suspended' where no = ?").run(suspended.accountNo)
  secondConnection.prepare('update api_keys set tasks_in_flight_max = 0 where id = ?').run(limited.keyId)
  secondConnection.close()
  await expect.poll(() => statusOf(revoked.key), { timeout: 1000, interval: 20 }).toBe(401)
  await expect.poll(() => statusOf(suspended.key), { timeout: 1000, interval: 20 }).toBe(403)
  expect((await submit({ key: limited.key })).json.error.code).toBe('too_many_tasks_in_flight')
})

it('a new account starts empty, is rejected while suspended, can be reactivated and is closed permanently', async () => {
  const { database } = service.store
  const brand = await database.selectFrom('brands').select('no').executeTakeFirstOrThrow()
  const account = await createAccount(service.store, { brandNo: brand.no, name: 'Studio' }, Date.now())
  const { key } = await service.keys.issueKey({ accountNo: account.no, name: 'x', scopes, expiresAtMs: null })
  expect((await submit({ key })).json.error.code).toBe('insufficient_credits')
  await service.store.grant(account.no, 1_000_000, 'paid')
  const runningId = (await submit({ key })).json.id
  const setStatus = (status: 'active' | 'suspended' | 'closed') => changeAccount(service.store, account.id, { status })

  expect(await setStatus('suspended')).toBe(true)
  await expect.poll(async () => (await submit({ key })).json.error?.code).toBe('account_suspended')
  expect(await setStatus('active')).toBe(true)
  await expect.poll(() => statusOf(key)).toBe(200)
  expect(await setStatus('closed')).toBe(true)
  await expect.poll(() => statusOf(key)).toBe(401)
  expect(await setStatus('active')).toBe(false)
  await service.startAll()
  await service.complete(runningId)
})

it('a key is limited to its models in catalogue, quote and submit', async () => {
  const { key } = await service.newAccount(10, scopes, { models: ['imgA-5.0'] })
  expect((await submit({ key })).status).toBe(202)
  const refused = await submit({ key, body: video })
  expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([403, 'key_scope_missing', 'model'])
  const quote = await service.request('POST', `${tasksPath}/quote`, { body: video, key })
  expect(quote.json).toMatchObject({ available: false, reason: 'key_scope_missing' })
  const view = await service.request('GET', `${modelsPath}/${video.model}`, { key })
  expect(view.json).toMatchObject({ available: false, reason: 'key_scope_missing' })
  expect((await service.request('GET', `${modelsPath}/imgA-5.0`, { key })).json).toMatchObject({ available: true, reason: null })
  expect((await service.request('GET', `${modelsPath}/${video.model}`)).json).toMatchObject({ available: true })
})

it('submits and quotes of a key stop at its daily spending limit, and returned credits may be spent again', async () => {
  const { key, accountNo } = await service.newAccount(1, scopes, { spentPerDayMax: 80_000 })
  const { key: otherKey } = await service.keys.issueKey({ accountNo, name: 'other', scopes, expiresAtMs: null })
  const firstId = (await submit({ key })).json.id
  expect((await submit({ key })).status).toBe(202)
  const refused = await submit({ key })
  expect([refused.status, refused.json.error.code]).toEqual([402, 'spending_limit_reached'])
  expect(refused.json.error.message).toContain('this API key has only 0 left of the 0.08 that it may spend per day (UTC)')
  const quoteTask = () => service.request('POST', `${tasksPath}/quote`, { body: image, key })
  expect((await quoteTask()).json).toMatchObject({ amount: 0.04, available: false, reason: 'spending_limit_reached' })
  expect((await submit({ key: otherKey })).status).toBe(202)
  await service.request('POST', `${tasksPath}/${firstId}/cancel`, { key })
  expect((await quoteTask()).json).toMatchObject({ available: true, reason: null })
  expect((await submit({ key })).status).toBe(202)
})

it('the requests of a key per second are limited, and the headers of a response contain the limit', async () => {
  const { key } = await service.newAccount(1, scopes, { requestsPerSecondMax: 5 })
  const responses = await Promise.all(Array.from({ length: 8 }, () => service.request('GET', '/v2/credits', { key })))
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"requests";q=5;w=1')
  expect(responses[0]?.headers.get('ratelimit')).toBe('"requests";r=4;t=1')
  expect(refused[0]?.headers.get('ratelimit')).toBe('"requests";r=0;t=1')
  expect([refused[0]?.headers.get('retry-after'), refused[0]?.json.error.type]).toEqual(['1', 'rate_limit_error'])
  service.clockAheadMs = 1000
  expect(await statusOf(key)).toBe(200)
  expect((await service.request('GET', '/v2/credits')).headers.get('ratelimit')).toBeNull()
})

it.each([
  ['key', 'tasks', 2, '"key-tasks-in-flight";q=2;qu="tasks"'],
  ['key', 'credits', 80_000, '"key-credits-in-flight";q=0;qu="credits"'],
  ['account', 'tasks', 2, '"account-tasks-in-flight";q=2;qu="tasks"'],
  ['account', 'credits', 80_000, '"account-credits-in-flight";q=0;qu="credits"'],
  ['brand', 'tasks', 2, '"brand-tasks-in-flight";q=2;qu="tasks"'],
] as const)("a submit over the %s's limit of %s in flight is rejected with 429", async (limited, limit, max, policy) => {
  const { key, keyId, accountId } = await service.newAccount(1)
  const limits = limit === 'tasks' ? { tasksInFlightMax: max } : { creditsInFlightMax: max }
  if (limited === 'key') await service.keys.changeKey(keyId, limits)
  if (limited === 'account') await changeAccount(service.store, accountId, limits)
  if (limited === 'brand') await service.store.database.updateTable('brands').set({ tasks_in_flight_max: max }).execute()
  const responses = await Promise.all(Array.from({ length: 16 }, () => submit({ key })))
  const accepted = responses.filter(({ status }) => status === 202)
  const refused = responses.filter(({ status }) => status === 429)
  expect([accepted.length, refused.length]).toEqual([2, 14])
  expect(refused[0]?.json.error).toMatchObject({ type: 'rate_limit_error', code: 'too_many_tasks_in_flight' })
  expect(refused[0]?.headers.get('ratelimit-policy')).toBe(policy)
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  const quoteTask = () => service.request('POST', `${tasksPath}/quote`, { body: image, key })
  expect((await quoteTask()).json).toMatchObject({ available: false, reason: 'too_many_tasks_in_flight' })
  await service.request('POST', `${tasksPath}/${accepted[0]?.json.id}/cancel`, { key })
  expect((await quoteTask()).json).toMatchObject({ available: true })
  expect((await submit({ key })).status).toBe(202)
  expect((await submit({ key })).status).toBe(429)
})

it('tasks over a limit wait if the account is configured to wait, and one starts whenever another ends', async () => {
  const { key, accountId } = await service.newAccount(1)
  await changeAccount(service.store, accountId, { tasksInFlightMax: 2, overLimit: 'wait' })
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await submit({ key })).json.id)
  const readStatuses = async () =>
    Promise.all(ids.map(async (id) => (await service.request('GET', `${tasksPath}/${id}`, { key })).json.status))
  await service.startAll()
  expect(await readStatuses()).toEqual(['processing', 'processing', 'queued', 'queued', 'queued'])
  await service.request('POST', `${tasksPath}/${ids[2]}/cancel`, { key })
  await service.complete(ids[1] ?? '')
  await service.startAll()
  expect(await readStatuses()).toEqual(['processing', 'completed', 'failed', 'processing', 'queued'])
  await changeAccount(service.store, accountId, { tasksInFlightMax: null })
  await service.startAll()
  expect(await readStatuses()).toEqual(['processing', 'completed', 'failed', 'processing', 'processing'])
})

it('the waiting tasks of a closed account start one by one although its limit is below their price', async () => {
  const { key, accountId } = await service.newAccount(1)
  const changeOwner = (body: object) => service.request('PATCH', `/admin/v1/accounts/${accountId}`, { body })
  await changeOwner({ tasks_in_flight_max: 1, over_limit: 'wait' })
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await submit({ key })).json.id)
  await service.startAll()
  await changeOwner({ credits_in_flight_max: 0.000001 })
  expect((await submit({ key })).status).toBe(429)
  expect((await changeOwner({ status: 'closed' })).status).toBe(200)
  for (const id of ids) {
    await service.complete(id)
    await service.startAll()
  }
  const balances = (await service.request('GET', `/admin/v1/accounts/${accountId}`)).json
  expect(balances).toMatchObject({ status: 'closed', held: 0 })
})

it('of requests for a key with a unique name that arrive at the same moment, one creates the key', async () => {
  const { accountId } = await service.newAccount(1)
  const path = `/admin/v1/accounts/${accountId}/keys`
  const create = (body: object) => service.request('POST', path, { body: { name: 'website', ...body } })
  const responses = await Promise.all(Array.from({ length: 8 }, () => create({ unique_name: true })))
  expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['201', ...Array<string>(7).fill('409')])
  expect(responses.find(({ status }) => status === 409)?.json.error).toMatchObject({
    code: 'conflict',
    message: 'The account already has a key with the name "website".',
  })
  expect((await create({ unique_name: false })).status).toBe(201)
  const keys = (await service.request('GET', path)).json.items.filter(({ name }: { name: string }) => name === 'website')
  expect(keys).toHaveLength(2)
  for (const { id } of keys) await service.request('DELETE', `/admin/v1/keys/${id}`)
  expect((await create({ unique_name: true })).status).toBe(201)
})
