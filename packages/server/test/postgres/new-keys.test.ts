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
  let resources: AsyncDisposableStack
  let proxy: DatabaseProxy
  let accountNo: number
  let localKeys: ApiKeys
  let remoteKeys: ApiKeys
  let selects: Mock

  beforeEach(async () => {
    resources = new AsyncDisposableStack()
    const url = await newDatabase()
    proxy = resources.use(await openDatabaseProxy(url))
    const [localStore, remoteStore] = [resources.use(await openTestStore(url)), resources.use(await openTestStore(proxy.url))]
    accountNo = await newAccount(localStore, 'acct', 1)
    const withoutNotifications = {
      database: remoteStore.database,
      isShared: true,
      writeAtomically: remoteStore.writeAtomically.bind(remoteStore),
    }
    localKeys = resources.use(await createApiKeys(localStore, localStore.clock))
    remoteKeys = resources.use(
      await createApiKeys(
        { ...withoutNotifications, recordKeyUses: async () => undefined, onConfigChanged: () => () => undefined },
        remoteStore.clock,
      ),
    )
    selects = vi.spyOn(remoteStore.database, 'selectFrom')
  })
  afterEach(() => resources.disposeAsync())

  const brandNo = 1
  const issueKey = async () => {
    const { id, key } = await localKeys.issueKey({ accountNo, name: 'new', scopes: ['tasks:read'], expiresAtMs: null })
    return { id, header: `Bearer ${key}` }
  }
  const send = async (header: string, brand = brandNo) => remoteKeys.authenticate(header, brand)

  it('a key of another process is valid immediately and is looked up only once', async () => {
    const { header } = await issueKey()
    expect(await send(header)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
    expect(remoteKeys.authenticate(header, brandNo)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
  })

  it('a key that another process issued is rejected on the hosts of another brand, and after its revocation', async () => {
    const { id, header } = await issueKey()
    const refusal = { code: 'invalid_api_key', message: 'This API key is not valid.' }
    expect(await send(header, brandNo + 1)).toMatchObject(refusal)
    expect(await send(header)).toMatchObject({ accountNo })
    const revoked = await issueKey()
    await localKeys.revokeKey(revoked.id)
    expect(await send(revoked.header)).toMatchObject(refusal)
    await localKeys.revokeKey(id)
    await remoteKeys.reload()
    expect(await send(header)).toMatchObject(refusal)
  })

  it('a key of another process is found among many unknown keys, for which the database is queried at most twice', async () => {
    const { header } = await issueKey()
    const requested = [...Array.from({ length: 400 }, unknownAuthorization), header]
    const results = await Promise.all(requested.map((header) => send(header)))
    expect(results.pop()).toMatchObject({ accountNo })
    expect(new Set(results.map((result) => 'code' in result && result.code))).toEqual(new Set(['invalid_api_key']))
    expect(selects.mock.calls.length).toBeLessThanOrEqual(2)
    const selectsBefore = selects.mock.calls.length
    expect(remoteKeys.authenticate(requested[0], brandNo)).toMatchObject({ code: 'invalid_api_key' })
    expect(selects).toHaveBeenCalledTimes(selectsBefore)
  })

  it('a key is not reported as invalid while lookups are at their limit or the database is unavailable', async () => {
    const { header } = await issueKey()
    const unknownHeaders = Array.from({ length: 2_000 }, unknownAuthorization)
    const outcomes = await Promise.allSettled(unknownHeaders.map((header) => send(header)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ reason }) => (reason as Error).name))).toEqual(new Set(['StoreUnavailable']))
    proxy.end()
    await expect(send(header)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect(remoteKeys.authenticate(undefined, brandNo)).toMatchObject({ code: 'missing_api_key' })
  })

  it('a bootstrap key works in two processes that are configured with it and start at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const key = createApiKeyText()
      await Promise.all([localKeys.ensureBootstrapKey(accountNo, key), remoteKeys.ensureBootstrapKey(accountNo, key)])
      for (const keys of [localKeys, remoteKeys]) {
        await keys.reload()
        expect(await keys.authenticate(`Bearer ${key}`, brandNo)).toMatchObject({ accountNo })
      }
    }
  })
})
