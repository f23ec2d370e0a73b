import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { createApiKeys, type ApiKeys } from '../../src/auth/api-keys.ts'
import { createApiKeyText } from '../../src/auth/api-key.ts'
import { newAccount } from '../../src/db/store-under-test.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../cuttable-proxy.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const unknownAuthorization = () => `Bearer ${createApiKeyText()}`

/**
 * Two processes. The second gets no notification of changes, so it knows only the keys from its
 * start and those that it has looked up.
 */
describe.runIf(hasPostgres)('a key that another process has just created', () => {
  let opened: AsyncDisposableStack
  let proxy: DatabaseProxy
  let accountNo: number
  let here: ApiKeys
  let there: ApiKeys
  let selects: Mock

  beforeEach(async () => {
    opened = new AsyncDisposableStack()
    const url = await newDatabase()
    proxy = opened.use(await openDatabaseProxy(url))
    const [first, second] = [opened.use(await openTestStore(url)), opened.use(await openTestStore(proxy.url))]
    accountNo = await newAccount(first, 'acct', 1)
    const withoutNotifications = { query: second.query, isShared: true, writeAtomically: second.writeAtomically.bind(second) }
    here = opened.use(await createApiKeys(first, first.clock))
    there = opened.use(
      await createApiKeys(
        { ...withoutNotifications, recordKeyUses: async () => undefined, onConfigChanged: () => () => undefined },
        second.clock,
      ),
    )
    selects = vi.spyOn(second.query, 'selectFrom')
  })
  afterEach(() => opened.disposeAsync())

  const brandNo = 1
  const issue = async () => {
    const { id, key } = await here.issueKey({ accountNo, name: 'new', scopes: ['tasks:read'], expiresAtMs: null })
    return { id, header: `Bearer ${key}` }
  }
  const send = async (header: string, brand = brandNo) => there.authenticate(header, brand)

  it('a key of another process is valid immediately and is looked up only once', async () => {
    const { header } = await issue()
    expect(await send(header)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
    expect(there.authenticate(header, brandNo)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
  })

  it('a key of another process is rejected at another brand and after its revocation', async () => {
    const { id, header } = await issue()
    const refusal = { code: 'invalid_api_key', message: 'This API key is not valid.' }
    expect(await send(header, brandNo + 1)).toMatchObject(refusal)
    expect(await send(header)).toMatchObject({ accountNo })
    const revoked = await issue()
    await here.revokeKey(revoked.id)
    expect(await send(revoked.header)).toMatchObject(refusal)
    await here.revokeKey(id)
    await there.reload()
    expect(await send(header)).toMatchObject(refusal)
  })

  it('a key of another process is found among many unknown keys, for which the database is seldom queried', async () => {
    const { header } = await issue()
    const requested = [...Array.from({ length: 400 }, unknownAuthorization), header]
    const results = await Promise.all(requested.map((each) => send(each)))
    expect(results.pop()).toMatchObject({ accountNo })
    expect(new Set(results.map((result) => 'code' in result && result.code))).toEqual(new Set(['invalid_api_key']))
    expect(selects.mock.calls.length).toBeLessThanOrEqual(2)
    const before = selects.mock.calls.length
    expect(there.authenticate(requested[0], brandNo)).toMatchObject({ code: 'invalid_api_key' })
    expect(selects).toHaveBeenCalledTimes(before)
  })

  it('a key is not reported as invalid while lookups are at their limit or the database is unavailable', async () => {
    const { header } = await issue()
    const unknownHeaders = Array.from({ length: 2_000 }, unknownAuthorization)
    const outcomes = await Promise.allSettled(unknownHeaders.map((each) => send(each)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ reason }) => (reason as Error).name))).toEqual(new Set(['StoreUnavailable']))
    proxy.end()
    await expect(send(header)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect(there.authenticate(undefined, brandNo)).toMatchObject({ code: 'missing_api_key' })
  })

  it('a bootstrap key works in two processes that are configured with it and start at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const key = createApiKeyText()
      await Promise.all([here.ensureBootstrapKey(accountNo, key), there.ensureBootstrapKey(accountNo, key)])
      for (const keys of [here, there]) {
        await keys.reload()
        expect(await keys.authenticate(`Bearer ${key}`, brandNo)).toMatchObject({ accountNo })
      }
    }
  })
})
