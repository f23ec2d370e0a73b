import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiKeys, type ApiKeys } from '../../src/auth/api-keys.ts'
import { digestOfApiKey } from '../../src/auth/api-key.ts'
import { newAccount } from '../../src/db/store-under-test.ts'
import { createAccount } from '../../src/auth/accounts.ts'
import { firstBrandId } from '../../src/brands/brand.ts'
import { insertBrand, moveDefault } from '../../src/brands/change-brands.ts'
import { InvalidBrand } from '../../src/brands/invalid-brand.ts'
import { noRoutingFile } from '../../src/config/routing-file.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createEncryption } from '../../src/routing/encryption.ts'
import {
  createOperatorRouting,
  InvalidRouting,
  RoutingConflict,
  type OperatorRouting,
} from '../../src/routing/configuration/operator-routing.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'
import { untilWaiting } from './until-waiting.ts'

const requestsPerProcess = 8

describe.runIf(hasPostgres)('operators of two processes', () => {
  let url: string
  let stores: PostgresStore[]

  beforeEach(async () => {
    url = await newDatabase()
    // With this setting, a deadlock lasts longer than a test.
    await rowsOf(url, `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '10min'`)
    stores = [await openTestStore(url), await openTestStore(url)]
    const firstBrand = { id: firstBrandId, name: 'First', created_at: 0 }
    await stores[0]!.database
      .insertInto('brands')
      .values({ ...firstBrand, is_default: 1, hosts: '["first.example.com"]' })
      .execute()
  })
  afterEach(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  const inBoth = <T>(send: (store: PostgresStore) => Promise<T>): Promise<T[]> =>
    Promise.all(stores.flatMap((store) => Array.from({ length: requestsPerProcess }, () => send(store))))

  it('concurrent requests to create an account with the same name create one account', async () => {
    const { database } = stores[0]!
    await insertBrand(stores[0]!, { name: 'Studio', hosts: [] }, Date.now())
    const { no: brandNo } = await database
      .selectFrom('brands')
      .select('no')
      .where('name', '=', 'Studio')
      .executeTakeFirstOrThrow()
    const created = await inBoth((store) => createAccount(store, { brandNo, name: 'Studio' }, Date.now()))
    const rows = await database.selectFrom('accounts').select('id').where('name', '=', 'Studio').execute()
    expect(rows).toHaveLength(1)
    expect(new Set(created.map(({ id }) => id))).toEqual(new Set([rows[0]?.id]))
  })

  it('concurrent requests to create a brand with the same name create one brand', async () => {
    const created = await inBoth((store) => insertBrand(store, { name: 'Studio', hosts: ['studio.example.com'] }, Date.now()))
    const rows = await stores[0]!.database.selectFrom('brands').select('id').where('name', '=', 'Studio').execute()
    expect(rows).toHaveLength(1)
    expect(new Set(created.map(({ id }) => id))).toEqual(new Set([rows[0]?.id]))
    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  it('of concurrent requests to create brands with the same host, all but one get an error that names the host', async () => {
    const host = 'studio.example.com'
    let brandCount = 0
    const results = await inBoth((store) =>
      insertBrand(store, { name: `Studio ${++brandCount}`, hosts: [host] }, Date.now()).catch((error: unknown) => error),
    )
    const errors = results.filter((result) => result instanceof Error)
    expect(errors).toHaveLength(results.length - 1)
    for (const error of errors) {
      expect(error).toBeInstanceOf(InvalidBrand)
      expect(String(error)).toContain(`The host ${host} already belongs to the brand`)
    }
  })
  it('concurrent requests that each make another brand the default leave one default brand', async () => {
    const { database } = stores[0]!
    const newBrands = ['Second', 'Third'].map((name) => ({ id: `brand_${name}`, name, created_at: 0 }))
    await database.insertInto('brands').values(newBrands).execute()
    const [first, ...others] = await database.selectFrom('brands').select(['no', 'id']).orderBy('no').execute()
    const client = await lockBrands()
    const moves = others.map((brand, index) => moveDefault(stores[index]!, brand))
    const settled = Promise.allSettled(moves)
    await untilWaiting(client, moves.length)
    await client.query('commit')
    await client.end()
    const outcomes = await settled
    const defaults = await database.selectFrom('brands').select('no').where('is_default', '=', 1).execute()
    expect(defaults).toHaveLength(1)
    expect(defaults[0]?.no).not.toBe(first?.no)
    // The second request finds a default brand without hosts.
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: expect.any(InvalidBrand) })
  })

  it('of concurrent rotations of a key without an overlap, only the last one leaves a valid secret', async () => {
    const accountNo = await newAccount(stores[0]!, 'acct', 1)
    await using resources = new AsyncDisposableStack()
    const keysOf = new Map<PostgresStore, ApiKeys>()
    for (const store of stores) keysOf.set(store, resources.use(await createApiKeys(store, systemClock)))
    const request = { accountNo, name: 'x', scopes: ['tasks:read'], expiresAtMs: null } as const
    const { id } = await keysOf.get(stores[0]!)!.issueKey({ ...request, scopes: [...request.scopes] })
    const rotated = await inBoth((store) => keysOf.get(store)!.rotateKey(id, 0))
    const valid = await stores[0]!.database
      .selectFrom('api_key_secrets')
      .select('digest')
      .where('expires_at', 'is', null)
      .execute()
    expect(valid).toHaveLength(1)
    expect(rotated.map((issued) => digestOfApiKey(issued!.key))).toContain(valid[0]!.digest)
  })

  describe('that change the same upstream or its routes', () => {
    const name = 'studio'
    const upstream = { driver: 'comfyui', base_url: 'http://127.0.0.1:9' }
    const encryption = createEncryption(Buffer.alloc(32, 7).toString('base64'))
    const route = { model: 'a-model', upstream: name, upstream_model: 'x' }
    let routings: OperatorRouting[]

    beforeEach(async () => {
      const settings = {
        routes: { use: async () => {} },
        file: noRoutingFile('.'),
        context: { drivers: upstreamDrivers, modelIds: new Set(['a-model']), findUnusableReason: () => null },
        encryption,
        clock: systemClock,
        logger: pino({ enabled: false }),
      }
      routings = []
      for (const store of stores) routings.push(await createOperatorRouting({ store, ...settings }))
    })
    afterEach(async () => {
      for (const routing of routings) await routing[Symbol.asyncDispose]()
    })

    const setUpstream = (process: number, changes: object, apiKey?: string) =>
      routings[process]!.setUpstream(name, { ...upstream, ...changes }, apiKey, () => [])

    const remove = () => routings[0]!.removeUpstream(name, () => [])
    const addRoute = () => routings[1]!.setRoute('red', route, () => [])

    async function readStored(): Promise<{ definition: object; apiKey: string | null }[]> {
      const rows = await stores[0]!.database.selectFrom('stored_upstreams').select(['definition', 'credential']).execute()
      return rows.map(({ definition, credential }) => ({
        definition: JSON.parse(definition) as object,
        apiKey: credential === null ? null : encryption.decrypt(credential),
      }))
    }

    it('a change without a key keeps the key that the other one has set at the same moment', async () => {
      await setUpstream(0, {}, 'sk-first')
      await runTogether(
        () => setUpstream(0, {}, 'sk-second'),
        () => setUpstream(1, { in_flight_max: 7 }),
      )
      expect(await readStored()).toEqual([{ definition: { ...upstream, in_flight_max: 7 }, apiKey: 'sk-second' }])
    })

    it('a creation without a key keeps the key of the other one', async () => {
      await runTogether(
        () => setUpstream(0, {}, 'sk-first'),
        () => setUpstream(1, { in_flight_max: 7 }),
      )
      expect(await readStored()).toMatchObject([{ apiKey: 'sk-first' }])
    })

    it('a change without a key does not restore the key of an upstream that the other one has removed', async () => {
      await setUpstream(0, {}, 'sk-first')
      await runTogether(remove, () => setUpstream(1, { in_flight_max: 7 }))
      expect(await readStored()).toEqual([{ definition: { ...upstream, in_flight_max: 7 }, apiKey: null }])
    })

    it('a route is rejected if the other one removes its upstream, and an upstream is not removed if the other one adds a route', async () => {
      for (const [first, second] of [
        [remove, addRoute],
        [addRoute, remove],
      ] as const) {
        await setUpstream(0, { driver: 'openai' }, 'sk-first')
        let error: unknown
        await runTogether(first, () => second().catch((cause: unknown) => void (error = cause)))
        expect(error).toBeInstanceOf(first === remove ? InvalidRouting : RoutingConflict)
        for (const routing of routings) {
          await routing.refresh()
          expect(routing.routes.map(({ violations }) => violations)).toEqual(first === remove ? [] : [[]])
        }
      }
    })

    it('a change and a removal of the same route do not wait for each other', async () => {
      await setUpstream(0, { driver: 'openai' }, 'sk-first')
      await addRoute()
      await using client = await connect()
      await client.query('begin')
      await client.query('select from config_version for update')
      const change = routings[1]!.setRoute('red', { ...route, in_flight_max: 7 }, () => [])
      await untilWaiting(client, 1)
      const removal = routings[0]!.removeRoute('red', () => [])
      await untilWaiting(client, 2)
      await client.query('commit')
      expect(await Promise.all([change, removal])).toEqual([true, true])
      expect(await stores[0]!.database.selectFrom('stored_routes').select('name').execute()).toEqual([])
    })
  })

  /** Runs the requests so that each reads the stored routing before the first one changes it. */
  async function runTogether(...requests: (() => Promise<unknown>)[]): Promise<void> {
    await using client = await connect()
    await client.query('begin')
    await client.query('lock table stored_upstreams, stored_routes in share mode')
    const results: Promise<unknown>[] = []
    for (const request of requests) {
      results.push(request())
      await untilWaiting(client, results.length)
    }
    await client.query('commit')
    await Promise.all(results)
  }

  async function connect(): Promise<pg.Client & AsyncDisposable> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
  }

  /** Begins a transaction that locks all brands. */
  async function lockBrands(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('begin')
    await client.query('select from brands for update')
    return client
  }
})
