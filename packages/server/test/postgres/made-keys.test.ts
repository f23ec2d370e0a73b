import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { createApiKeys, type ApiKeys } from '../../src/auth/api-keys.ts'
import { createApiKeyText } from '../../src/auth/api-key.ts'
import { openDatabase, prepareTables } from '../../src/db/postgres/open-database.ts'
import { openPostgresStore, type PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { newAccount } from '../../src/db/store-under-test.ts'
import { DatabaseProxy } from './database-proxy.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

/** Two processes, of which the second hears of no change: its keys are as they were when it began, and what it has asked for. */
describe.runIf(hasPostgres)('a key that another process has just made', () => {
  let opened: AsyncDisposableStack
  let proxy: DatabaseProxy
  let accountNo: number
  let here: ApiKeys
  let there: ApiKeys
  let selects: Mock

  beforeEach(async () => {
    opened = new AsyncDisposableStack()
    const url = await newDatabase()
    proxy = opened.use(await DatabaseProxy.open(url))
    const [first, second] = [opened.use(await open(url)), opened.use(await open(proxy.url))]
    accountNo = await newAccount(first, 'acct', 1)
    const deaf = { query: second.query, isShared: true, writeTogether: second.writeTogether.bind(second) }
    here = opened.use(await createApiKeys(first, first.clock))
    there = opened.use(
      await createApiKeys({ ...deaf, keysUsed: async () => undefined, onRulesChanged: () => () => undefined }, second.clock),
    )
    selects = vi.spyOn(second.query, 'selectFrom')
  })
  afterEach(() => opened.disposeAsync())

  async function open(url: string): Promise<PostgresStore> {
    const connections = await openDatabase({ url, poolMax: 4 }, async (client, { shown }) => {
      await prepareTables(client, shown, true)
    })
    return openPostgresStore({ connections })
  }

  const brandNo = 1
  const issue = async () => {
    const { id, key } = await here.issueKey({ accountNo, name: 'new', scopes: ['tasks:read'], expiresAtMs: null })
    return { id, header: `Bearer ${key}` }
  }
  const stranger = () => `Bearer ${createApiKeyText()}`

  it('is taken at once, and asked for no second time', async () => {
    const { header } = await issue()
    expect(await there.authenticate(header, brandNo)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
    expect(there.authenticate(header, brandNo)).toMatchObject({ accountNo })
    expect(selects).toHaveBeenCalledTimes(1)
  })

  it('is not taken where it belongs to another brand, or was revoked', async () => {
    const { id, header } = await issue()
    const refusal = { code: 'invalid_api_key', message: 'This API key is not valid.' }
    expect(await there.authenticate(header, brandNo + 1)).toMatchObject(refusal)
    expect(await there.authenticate(header, brandNo)).toMatchObject({ accountNo })
    const revoked = await issue()
    await here.revokeKey(revoked.id)
    expect(await there.authenticate(revoked.header, brandNo)).toMatchObject(refusal)
    await here.revokeKey(id)
    await there.reload()
    expect(await there.authenticate(header, brandNo)).toMatchObject(refusal)
  })

  it('is found among those of many strangers, for whom the database is asked seldom', async () => {
    const { header } = await issue()
    const asked = [...Array.from({ length: 400 }, stranger), header]
    const answers = await Promise.all(asked.map((each) => there.authenticate(each, brandNo)))
    expect(answers.pop()).toMatchObject({ accountNo })
    expect(new Set(answers.map((answer) => 'code' in answer && answer.code))).toEqual(new Set(['invalid_api_key']))
    expect(selects.mock.calls.length).toBeLessThanOrEqual(2)
    const before = selects.mock.calls.length
    expect(there.authenticate(asked[0], brandNo)).toMatchObject({ code: 'invalid_api_key' })
    expect(selects).toHaveBeenCalledTimes(before)
  })

  it('is not called invalid where strangers leave no room to ask for it, or the database does not answer', async () => {
    const { header } = await issue()
    const crowd = Array.from({ length: 2_000 }, stranger)
    const outcomes = await Promise.allSettled(crowd.map((each) => there.authenticate(each, brandNo)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ reason }) => (reason as Error).name))).toEqual(new Set(['StoreUnavailable']))
    proxy.end()
    await expect(there.authenticate(header, brandNo)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect(there.authenticate(undefined, brandNo)).toMatchObject({ code: 'missing_api_key' })
  })
})
