import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scopes } from '../src/auth/scopes.ts'
import { openHttpService, type HttpService } from './http-service.ts'
import { testEngine } from './test-engine.ts'

const admin = '/admin/v1'
const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
let service: HttpService

beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const send = async (method: string, path: string, body?: object, headers = {}) =>
  service.request(method, admin + path, { ...(body && { body }), headers })

/** Returns the status of a request with this key: 200 if the key is valid. */
const statusOf = async (key: string) => (await service.request('GET', '/v2/credits', { key })).status
const adjustCredits = (amount: number, headers = {}) =>
  send('POST', '/accounts/acct_1/adjustments', { amount, note: 'a mistake' }, headers)

describe('accounts', () => {
  it('an account is created once for each name, without credits and keys', async () => {
    const created = await send('POST', '/accounts', { name: 'Studio North' })
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      object: 'account',
      name: 'Studio North',
      brand: 'brand_default',
      status: 'active',
      balance: 0,
      held: 0,
    })
    const repeated = await send('POST', '/accounts', { name: 'Studio North' })
    expect([repeated.status, repeated.json]).toEqual([200, created.json])
    expect((await send('GET', `/accounts/${created.json.id}/keys`)).json.items).toEqual([])
    const { json: list } = await send('GET', '/accounts?limit=1')
    expect(list).toMatchObject({ items: [{ id: 'acct_1' }], has_more: true })
    expect((await send('GET', `/accounts?cursor=${list.next_cursor}`)).json).toMatchObject({
      items: [created.json],
      has_more: false,
    })
  })

  it('an operator cannot suspend or close the account of the key in use', async () => {
    for (const status of ['suspended', 'closed']) {
      const refused = await send('PATCH', '/accounts/acct_1', { status, name: 'renamed' })
      expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict'])
    }
    expect((await send('GET', '/accounts/acct_1')).json).toMatchObject({ status: 'active', name: 'acct_1' })
    expect((await send('PATCH', '/accounts/acct_1', { status: 'active', name: 'renamed' })).status).toBe(200)
    const { accountNo } = await service.newAccount(0)
    const { key } = await service.keys.issueKey({ accountNo, name: 'second operator', scopes: ['admin'], expiresAtMs: null })
    const changedByAnother = await service.request('PATCH', `${admin}/accounts/acct_1`, { key, body: { status: 'suspended' } })
    expect(changedByAnother.json.status).toBe('suspended')
  })

  it.each(['suspended', 'closed'])('accounts that are %s cannot submit tasks', async (status) => {
    for (let n = 0; n < 6; n++) {
      const { id } = (await send('POST', '/accounts', { name: `a${n}` })).json
      const { key } = (await send('POST', `/accounts/${id}/keys`, {})).json
      await send('POST', `/accounts/${id}/grants`, { amount: 100, note: 'to begin with' })
      const submit = async () => (await service.request('POST', tasksPath, { key, body: image })).status
      expect(await submit()).toBe(202)
      expect((await send('PATCH', `/accounts/${id}`, { status })).json.status).toBe(status)
      expect(await submit()).toBe(status === 'closed' ? 401 : 403)
    }
  })

  it('accounts are suspended, reopened and closed permanently', async () => {
    const { id } = (await send('POST', '/accounts', { name: 'a' })).json
    const { key } = (await send('POST', `/accounts/${id}/keys`, {})).json
    const creditsStatus = () => statusOf(key)
    expect(await creditsStatus()).toBe(200)
    expect((await send('PATCH', `/accounts/${id}`, { status: 'suspended' })).json.status).toBe('suspended')
    await expect.poll(creditsStatus).toBe(403)
    await send('PATCH', `/accounts/${id}`, { status: 'active' })
    await expect.poll(creditsStatus).toBe(200)
    await send('PATCH', `/accounts/${id}`, { status: 'closed' })
    await expect.poll(creditsStatus).toBe(401)
    const message = 'The account is closed. A closed account cannot be changed.'
    const { json: reopened } = await send('PATCH', `/accounts/${id}`, { status: 'active' })
    expect(reopened.error).toMatchObject({ message, param: 'status' })
    expect((await send('PATCH', `/accounts/${id}`, { name: 'b' })).json.error).toMatchObject({ message, param: null })
  })

  it('an account has at most tasks_in_flight_max tasks in flight until the limit is removed', async () => {
    const { id } = (await send('POST', '/accounts', { name: 'a' })).json
    const { key } = (await send('POST', `/accounts/${id}/keys`, {})).json
    await send('POST', `/accounts/${id}/grants`, { amount: 1 })
    expect((await send('PATCH', `/accounts/${id}`, { tasks_in_flight_max: 1 })).json.tasks_in_flight_max).toBe(1)
    const submit = async () => (await service.request('POST', tasksPath, { body: image, key })).status
    expect([await submit(), await submit()]).toEqual([202, 429])
    await send('PATCH', `/accounts/${id}`, { tasks_in_flight_max: null })
    expect(await submit()).toBe(202)
  })
})

describe('brands', () => {
  it('brands are created with hosts, and have their own accounts, models and links', async () => {
    const created = await send('POST', '/brands', { name: 'Northern Lights', hosts: ['Video.Example.com'] })
    expect([created.status, created.json.hosts]).toEqual([201, ['video.example.com']])
    const { id } = created.json
    expect((await send('POST', '/brands', { name: 'Northern Lights' })).json).toEqual(created.json)
    const { json: account } = await send('POST', '/accounts', { name: 'a', brand: id })
    expect(account.brand).toBe(id)
    const granted = await send('POST', `/brands/${id}/models`, { model: 'imgA_5.0Pro', visibility: 'invocable', title: 'Aurora' })
    expect(granted.json.models).toEqual([{ id: 'imgA_5.0Pro', visibility: 'invocable', title: 'Aurora' }])
    expect((await send('PATCH', `/brands/${id}`, { result_origin: 'https://media.example.com' })).json).toMatchObject({
      result_origin: 'https://media.example.com',
      is_default: false,
    })
    expect((await send('GET', '/audit?limit=1')).json.items).toMatchObject([{ action: 'brand.change', target: id }])
  })

  it('brands show the visibility and price of every model, hidden ones included', async () => {
    const { id } = (await send('POST', '/brands', { name: 'b' })).json
    const models = `/brands/${id}/models`
    const showModel = async (model: string) => (await send('GET', `${models}/${encodeURIComponent(model)}`)).json
    const { json: brandModels } = await send('GET', `${models}?limit=100`)
    const { json: catalogue } = await service.request('GET', '/v2/model-center/models?limit=100')
    expect(brandModels.items.map(({ model }: { model: string }) => model)).toEqual(
      catalogue.items.map((model: { id: string }) => model.id),
    )
    expect(await showModel('imgA_5.0Pro')).toMatchObject({ visibility: 'visible', own_visibility: null, price_from: 'catalogue' })

    await send('POST', models, { model: 'imgA_5.0Pro', visibility: 'invocable', title: 'Aurora' })
    await send('PATCH', `/brands/${id}`, { other_models: 'hidden' })
    const price = { unit: 'task', credits: { '*': 3 } }
    await send('POST', '/prices', { model: 'imgA_5.0Pro', brand: id, price })
    expect(await showModel('imgA_5.0Pro')).toMatchObject({
      brand: id,
      visibility: 'invocable',
      title: 'Aurora',
      own_visibility: 'invocable',
      own_title: 'Aurora',
      price,
      price_from: 'brand',
    })
    expect(await showModel('vidK O3 Video Generation')).toMatchObject({ visibility: 'hidden', own_visibility: null })
    await send('POST', models, { model: 'imgA_5.0Pro', visibility: null, title: null })
    expect(await showModel('imgA_5.0Pro')).toMatchObject({ visibility: 'hidden', own_title: null })
    for (const path of [`${models}/none`, '/brands/none/models']) expect((await send('GET', path)).status).toBe(404)
  })

  it('a host of another brand, an invalid host and an unknown model are rejected for a brand', async () => {
    await send('POST', '/brands', { name: 'a', hosts: ['a.example.com'] })
    for (const hosts of [['a.example.com'], ['https://b.example.com'], ['no host']]) {
      expect((await send('POST', '/brands', { name: 'b', hosts })).json.error.code).toBe('invalid_parameter')
    }
    expect((await send('POST', '/brands/brand_default/models', { model: 'none' })).json.error.message).toContain('no model')
    expect((await send('GET', '/brands')).json.items).toHaveLength(2)
  })
})

describe('keys', () => {
  it('the secret of a key is shown once, and a key can be changed, rotated and revoked', async () => {
    const response = await send('POST', '/accounts/acct_1/keys', {
      name: 'website',
      spent_per_day_max: 0.5,
      models: ['imgA-5.0'],
    })
    const { key, ...view } = response.json
    expect([response.status, key]).toEqual([201, expect.stringMatching(/^fg_live_/)])
    expect(view).toMatchObject({
      name: 'website',
      scopes: ['tasks:write', 'tasks:read'],
      spent_per_day_max: 0.5,
      account: 'acct_1',
    })
    const shownKey = await send('GET', `/keys/${view.id}`)
    expect(shownKey.json).toEqual(view)
    expect((await send('GET', '/accounts/acct_1/keys')).text).not.toContain(key)

    await send('PATCH', `/keys/${view.id}`, { scopes: ['tasks:write'] })
    expect(await statusOf(key)).toBe(403)
    await send('PATCH', `/keys/${view.id}`, { scopes: ['tasks:read'] })
    expect(await statusOf(key)).toBe(200)

    const rotated = (await send('POST', `/keys/${view.id}/rotate`, { overlap_seconds: 0 })).json
    expect([await statusOf(key), await statusOf(rotated.key)]).toEqual([401, 200])
    expect((await send('DELETE', `/keys/${view.id}`)).json.revoked_at).toEqual(expect.any(Number))
    expect(await statusOf(rotated.key)).toBe(401)
    expect((await send('POST', `/keys/${view.id}/rotate`, {})).status).toBe(404)
  })
})

describe('credits', () => {
  it('credits are granted once for each Idempotency-Key', async () => {
    const { id } = (await send('POST', '/accounts', { name: 'a' })).json
    const grantCredits = () => send('POST', `/accounts/${id}/grants`, { amount: 2.5 }, { 'idempotency-key': 'invoice 17' })
    const [first, second] = [await grantCredits(), await grantCredits()]
    expect([first.json.balance, second.json.balance]).toEqual([2.5, 2.5])
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    await Promise.all(
      Array.from({ length: 20 }, () => send('POST', `/accounts/${id}/grants`, { amount: 1 }, { 'idempotency-key': 'x' })),
    )
    expect((await send('GET', `/accounts/${id}`)).json.balance).toBe(3.5)
    expect((await send('GET', '/credits/verify')).json.differences).toBe(0)
  })

  it('an Idempotency-Key of a grant or a correction is rejected for another account, amount or kind of change', async () => {
    const { accountId: other } = await service.newAccount(0)
    const named = { 'idempotency-key': 'may' }
    expect((await send('POST', `/accounts/${other}/grants`, { amount: 2 }, named)).json.balance).toBe(2)
    const refused = [
      await send('POST', '/accounts/acct_1/grants', { amount: 2 }, named),
      await send('POST', `/accounts/${other}/grants`, { amount: 3 }, named),
      await send('POST', `/accounts/${other}/adjustments`, { amount: 2, note: 'a mistake' }, named),
    ]
    expect(refused.map(({ json }) => json.error?.code)).toEqual(refused.map(() => 'idempotency_key_reused'))
    expect((await adjustCredits(3, { 'idempotency-key': 'june' })).status).toBe(200)
    expect((await adjustCredits(4, { 'idempotency-key': 'june' })).json.error.code).toBe('idempotency_key_reused')
    expect((await send('GET', `/accounts/${other}`)).json.balance).toBe(2)
  })

  it('credits are granted once for each reference of an account, whichever operator grants them', async () => {
    const { key: otherKey } = await service.newAccount(0)
    const grantCredits = (id: string, key: string, amount = 2.5) =>
      service.request('POST', `${admin}/accounts/${id}/grants`, {
        body: { amount, note: 'x', reference: 'invoice 17', expires_at: 4_000_000_000 },
        headers: { 'idempotency-key': String(Math.random()) },
        key,
      })
    const responses = [
      await grantCredits('acct_2', service.key),
      await grantCredits('acct_2', otherKey),
      await grantCredits('acct_2', otherKey, 9),
    ]
    expect(responses.map(({ json }) => json.balance)).toEqual([2.5, 2.5, 2.5])
    expect(responses.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true'])
    const { id } = (await send('POST', '/accounts', { name: 'a' })).json
    expect((await grantCredits(id, otherKey)).json.balance).toBe(2.5)
    expect((await send('GET', '/accounts/acct_2/grants/invoice%2017')).json).toMatchObject({
      account: 'acct_2',
      reference: 'invoice 17',
      amount: 2.5,
      note: 'x',
      expires_at: 4_000_000_000,
    })
    expect((await send('GET', '/accounts/acct_1/grants/invoice%2017')).status).toBe(404)
    for (const reference of [' ', '.', '..'])
      expect((await send('POST', '/accounts/acct_1/grants', { amount: 1, reference })).json.error.param).toBe('reference')
    expect((await send('POST', `/accounts/${id}/grants`, { amount: 0.5, reference: '...' })).status).toBe(200)
    expect((await send('GET', `/accounts/${id}/grants/...`)).json.amount).toBe(0.5)
    const namedGrant = { amount: 1, reference: 'invoice 18' }
    const refused = await send('POST', '/accounts/acct_1/grants', namedGrant, { 'idempotency-key': 'é' })
    expect(refused.json.error.param).toBe('Idempotency-Key')
  })

  it('credits are corrected down to zero and not below', async () => {
    expect((await adjustCredits(-1000)).json.balance).toBe(0)
    const refused = await adjustCredits(-0.000001)
    expect([refused.status, refused.json.error.code]).toEqual([402, 'insufficient_credits'])
    expect((await adjustCredits(1)).json.balance).toBe(1)
    const keyHeader = { 'idempotency-key': 'y' }
    expect([(await adjustCredits(1, keyHeader)).json.balance, (await adjustCredits(1, keyHeader)).json.balance]).toEqual([2, 2])
  })
})

it('an invalid admin body is rejected with every violation and the accepted values', async () => {
  const { json } = await send('POST', '/accounts/acct_1/grants', { ammount: 3, note: '' })
  expect(json.error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
  expect(json.error.errors).toEqual([
    { pointer: '/amount', code: 'invalid_parameter', message: 'amount must be a number of credits from 0.000001 to 1000000000.' },
    { pointer: '/note', code: 'invalid_parameter', message: 'note must be a text of 1 to 200 characters.' },
    { pointer: '/ammount', code: 'unknown_parameter', message: "There is no field 'ammount'; did you mean 'amount'?" },
  ])
  for (const body of [{ amount: 0 }, { amount: -1 }, { amount: 1e-9 }, { amount: 1e10 }, { amount: '5' }, { amount: null }, {}]) {
    expect((await send('POST', '/accounts/acct_1/grants', body)).json.error.param).toBe('amount')
  }
  for (const path of ['/accounts/acct_9', '/keys/key_9', '/accounts/acct_9/keys']) {
    expect((await send('GET', path)).json.error.code).toBe('resource_not_found')
  }
})

it('the audit log records the key and the object of each change', async () => {
  const { json: account } = await send('POST', '/accounts', { name: 'a' })
  await send('PATCH', `/accounts/${account.id}`, { name: 'b' })
  const { key, id } = (await send('POST', `/accounts/${account.id}/keys`, {})).json
  await send('DELETE', `/keys/${id}`)
  const { json: page, text } = await send('GET', '/audit?limit=3')
  expect(page).toMatchObject({
    items: [
      { action: 'key.revoke', target: id, before: { id }, after: null },
      { action: 'key.create', target: id, before: null, after: { account: account.id } },
      {
        action: 'account.change',
        target: account.id,
        target_name: 'b',
        key_name: 'test',
        before: { name: 'a' },
        after: { name: 'b' },
        key: expect.stringMatching(/^key_/),
      },
    ],
    has_more: true,
  })
  expect(text).not.toContain(key)
  expect((await send('GET', `/audit?cursor=${page.next_cursor}`)).json.items).toMatchObject([{ action: 'account.create' }])
})

it.runIf(testEngine.name === 'SQLite')('a change that cannot be written to the audit log has no effect', async () => {
  const { json: brand } = await send('POST', '/brands', { name: 'b', hosts: ['b.example.com'] })
  const { json: key } = await send('POST', '/accounts/acct_1/keys', { name: 'k' })
  const readState = async () => {
    const responses = await Promise.all(
      ['/brands', '/accounts', '/accounts/acct_1/keys', '/audit'].map(async (path) => (await send('GET', path)).json.items),
    )
    // Ignores when the operator's own key was last used.
    return JSON.stringify(responses).replaceAll(/"last_used_at":\w+/g, '')
  }
  const stateBefore = await readState()
  const secondConnection = new DatabaseSync(service.databaseFile, { timeout: 5000 })
  secondConnection.exec("create trigger full before insert on audit_log begin select raise(abort, 'the log is full'); end")
  const changes: [method: string, path: string, body?: object][] = [
    ['POST', '/brands', { name: 'c' }],
    ['PATCH', `/brands/${brand.id}`, { name: 'c' }],
    ['POST', `/brands/${brand.id}/models`, { model: 'imgA-5.0', visibility: 'hidden' }],
    ['POST', '/accounts', { name: 'c' }],
    ['PATCH', '/accounts/acct_1', { name: 'c' }],
    ['POST', '/accounts/acct_1/keys', { name: 'c' }],
    ['PATCH', `/keys/${key.id}`, { name: 'c' }],
    ['POST', `/keys/${key.id}/rotate`, { overlap_seconds: 0 }],
    ['DELETE', `/keys/${key.id}`],
    ['POST', '/accounts/acct_1/grants', { amount: 5 }],
    ['POST', '/accounts/acct_1/adjustments', { amount: 5, note: 'x' }],
  ]
  for (const [method, path, body] of changes) {
    expect([path, (await send(method, path, body)).status]).toEqual([path, 500])
  }
  expect(await statusOf(key.key)).toBe(200)
  secondConnection.exec('drop trigger full')
  secondConnection.close()
  expect(await readState()).toBe(stateBefore)
  for (const [method, path, body] of changes) expect((await send(method, path, body)).status).toBeLessThan(300)
  const written = (await send('GET', '/audit?limit=100')).json.items
  expect(written).toHaveLength(changes.length + 2)
})

it('a change without fields is accepted and has no effect', async () => {
  const { json: key } = await send('POST', '/accounts/acct_1/keys', {})
  for (const path of ['/brands/brand_default', '/accounts/acct_1', `/keys/${key.id}`]) {
    const { json: recordBefore } = await send('GET', path)
    const { status, json } = await send('PATCH', path, {})
    expect([status, json]).toEqual([200, recordBefore])
  }
  expect((await send('GET', '/audit')).json.items).toMatchObject([{ action: 'key.create' }])
})

it('the admin API rejects keys without the scope admin, keys of other brands, and requests above the rate limit', async () => {
  await service[Symbol.asyncDispose]()
  const nowMs = Date.now()
  // Fixes the clock, so that the duration of 120 requests has no effect.
  service = await openHttpService({ clock: () => nowMs })
  const { key } = await service.newAccount(
    1,
    scopes.filter((scope) => scope !== 'admin'),
  )
  expect((await service.request('GET', `${admin}/accounts`, { key })).json.error.code).toBe('key_scope_missing')
  expect((await service.request('GET', `${admin}/accounts`, { key: null })).status).toBe(401)
  const { brand } = await service.brands.createBrand({ name: 'b', hosts: ['b.example.com'] })
  const stranger = await service.newAccount(1, scopes, {}, brand)
  const requested = await service.request('GET', `${admin}/accounts`, { key: stranger.key, host: 'b.example.com' })
  expect([requested.status, requested.json.error.code]).toEqual([403, 'key_scope_missing'])
  const statuses = await Promise.all(Array.from({ length: 120 }, async () => (await send('GET', '/accounts')).status))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})
