import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { Secret } from '../../src/config/secret.ts'
import { isLongRun, leaseMs, newAccount, newTask, resultOf, startMs } from '../../src/db/store-under-test.ts'
import type { Claim, LaneGrant, PoolChange, PoolState } from '../../src/db/task-queue.ts'
import type { UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import type { UpstreamDefinition } from '../../src/routing/configuration/definitions.ts'
import { createFindSlotPools } from '../../src/routing/slot-pools.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const lane = 7

/** Slots that several processes share. Each process has its own store. */
describe.runIf(hasPostgres)('slot pools shared by processes', () => {
  let url: string
  let nowMs: number
  let stores: PostgresStore[]
  let firstStore: PostgresStore
  let secondStore: PostgresStore
  let accountNo: number
  let nextId: () => string

  beforeEach(async () => {
    url = await newDatabase()
    nowMs = startMs
    stores = []
    firstStore = await openStore()
    secondStore = await openStore()
    accountNo = await newAccount(firstStore, 'acct', 1_000_000)
    nextId = firstStore.createTaskIds(() => nowMs)
  })
  afterEach(async () => {
    expect((await firstStore.verifyCredits()).differences).toEqual([])
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  async function openStore(): Promise<PostgresStore> {
    const store = await openTestStore(url, () => nowMs)
    stores.push(store)
    return store
  }

  async function newPool(kind: 'upstream' | 'route', name: string): Promise<number> {
    await firstStore.database.insertInto('slot_pools').values({ kind, name, target: name, unconfirmed_max: null }).execute()
    const { no } = await firstStore.database
      .selectFrom('slot_pools')
      .select('no')
      .where('name', '=', name)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return no
  }

  async function acceptTasks(count: number, targetLane = lane): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, () => firstStore.accept(newTask({ id: nextId(), accountNo, lane: targetLane }))),
    )
  }

  async function newPools(): Promise<{ route: number; upstream: number }> {
    return { route: await newPool('route', 'route'), upstream: await newPool('upstream', 'upstream') }
  }

  it('claims of two processes at the same time never exceed the limit of a pool', { timeout: 120_000 }, async () => {
    const pools = await newPools()
    const openClaims = new Map<string, Claim>()
    await acceptTasks(400)
    for (let round = 0; round < 200; round++) {
      // Each round begins with one, two or three free slots, for which both processes race.
      const claims = await Promise.all(
        [firstStore, secondStore].map((store) => store.claim([grantOf(lane, pools, { upstreamMax: 3, limit: 3 })], leaseMs)),
      )
      for (const claim of claims.flat()) openClaims.set(claim.id, claim)
      expect(openClaims.size).toBe(3)
      const { inFlight } = (await stateOf(firstStore, pools.upstream))!
      expect(inFlight).toBe(3)
      const endedTasks = [...openClaims.values()].slice(0, 1 + (round % 3))
      await Promise.all(
        endedTasks.map(async (claim, index) => {
          const store = [firstStore, secondStore][index % 2]!
          await endAttempt(store, claim, round + index)
          openClaims.delete(claim.id)
        }),
      )
    }
  })

  it('claims on a route also count the tasks of another route with the same upstream', async () => {
    const upstream = await newPool('upstream', 'upstream')
    const [firstPool, secondPool] = [await newPool('route', 'one'), await newPool('route', 'other')]
    await acceptTasks(10)
    await acceptTasks(10, lane + 1)
    const grants = [
      grantOf(lane, { route: firstPool, upstream }, { limit: 10, routeMax: 2, upstreamMax: 5 }),
      grantOf(lane + 1, { route: secondPool, upstream }, { limit: 10, routeMax: 9, upstreamMax: 5 }),
    ]
    const claims = (await Promise.all([firstStore, secondStore].map((store) => store.claim(grants, leaseMs)))).flat()
    expect(claims.filter(({ attempt }) => attempt.pools?.route === firstPool)).toHaveLength(2)
    expect(claims.filter(({ attempt }) => attempt.pools?.route === secondPool)).toHaveLength(3)
    expect(await secondStore.claim(grants, leaseMs)).toEqual([])
  })

  it('a pause by one process applies immediately to the claims and the starts of attempts of another', async () => {
    const pools = await newPools()
    await acceptTasks(3)
    const grants = [grantOf(lane, pools, { limit: 1 })]
    const [claim] = await secondStore.claim(grants, leaseMs)
    await firstStore.changePool(pools.route, { kind: 'pause', untilMs: nowMs + 1_000, refusals: 1, condition: 'throttled' })
    expect(await secondStore.claim(grants, leaseMs)).toEqual([])
    expect(await secondStore.beginAttempt(claim!, 1)).toBe('paused')
    expect(await secondStore.find(claim!.id)).toMatchObject({ status: 'queued', version: 1, startedAtMs: null })
    nowMs += 1_000
    expect(await secondStore.beginAttempt(claim!, 1)).toBe('begun')
    // After a pause, a single attempt is sent first. That attempt has just begun.
    expect(await firstStore.claim(grants, leaseMs)).toEqual([])
    expect(await secondStore.recordOperation(claim!, 1, '{}')).toBe(true)
    expect(await firstStore.claim(grants, leaseMs)).toHaveLength(1)
  })

  it('a pool that two processes pause concurrently keeps the later end and the more severe state', async () => {
    const pools = await newPools()
    for (let round = 1; round <= 20; round++) {
      const untilMs = nowMs + round * 1_000
      await Promise.all([
        firstStore.changePool(pools.upstream, { kind: 'pause', untilMs, refusals: round, condition: 'unavailable' }),
        secondStore.changePool(pools.upstream, { kind: 'pause', untilMs: untilMs - 500, refusals: 1, condition: 'throttled' }),
      ])
      expect(await stateOf(secondStore, pools.upstream)).toMatchObject({
        pausedUntilMs: untilMs,
        refusals: round,
        condition: 'unavailable',
        unconfirmedMax: 1,
      })
    }
  })

  it('each accepted attempt after a pause doubles the number of concurrent attempts, until the limit ends', async () => {
    const pools = await newPools()
    await firstStore.changePool(pools.upstream, { kind: 'pause', untilMs: nowMs + 1_000, refusals: 2, condition: 'throttled' })
    await secondStore.changePool(pools.upstream, { kind: 'confirm' })
    expect(await stateOf(firstStore, pools.upstream)).toMatchObject({ unconfirmedMax: 1, refusals: 2 })
    nowMs += 1_000
    const limitsSeen: (number | null)[] = []
    for (let accepted = 0; accepted < 7; accepted++) {
      await [firstStore, secondStore][accepted % 2]!.changePool(pools.upstream, { kind: 'confirm' })
      limitsSeen.push((await stateOf(firstStore, pools.upstream))!.unconfirmedMax)
    }
    expect(limitsSeen).toEqual([2, 4, 8, 16, 32, null, null])
    expect(await stateOf(firstStore, pools.upstream)).toMatchObject({ refusals: 0, condition: 'open' })
  })

  it('the slot of an attempt that was never sent is freed when the lease of the dead process expires', async () => {
    const pools = await newPools()
    await acceptTasks(1)
    const grants = [grantOf(lane, pools, { limit: 1, upstreamMax: 1 })]
    const [lostClaim] = await firstStore.claim(grants, leaseMs)
    expect(await stateOf(secondStore, pools.upstream)).toMatchObject({ inFlight: 1, unconfirmed: 1 })
    nowMs += leaseMs
    expect(await secondStore.takeDue(leaseMs, 100)).toMatchObject({ claims: [], waiting: [{ lane, tasks: 1 }] })
    expect(await stateOf(secondStore, pools.upstream)).toMatchObject({ inFlight: 0, unconfirmed: 0 })
    expect(await firstStore.beginAttempt(lostClaim!, 1)).toBe('missed')
    const [claim] = await secondStore.claim(grants, leaseMs)
    expect(claim).toMatchObject({ id: lostClaim!.id, attempt: { number: 1, state: 'assigned', resumed: false } })
    expect(await firstStore.beginAttempt(lostClaim!, 1)).toBe('missed')
    expect(await secondStore.beginAttempt(claim!, 1)).toBe('begun')
  })

  it('processes that load the same changed upstreams at the same time assign them the same pools', async () => {
    const driver = { name: 'scripted' } as UpstreamDriver
    const limits = { inFlightMax: 1, pollsPerSecondMax: 1 }
    const upstreamsOf = (turn: number): UpstreamDefinition[] =>
      Array.from({ length: 30 }, (_, no) => ({
        name: `upstream-${(no + turn) % 40}`,
        driver,
        baseUrl: `https://u${no}`,
        credential: new Secret('key'),
        ...limits,
      }))
    let poolNosBefore: number[] | undefined
    for (let turn = 0; turn < 5; turn++) {
      const upstreams = upstreamsOf(turn)
      const poolNos = await Promise.all(
        [firstStore, secondStore].map(async ({ database }) => {
          const pools = await createFindSlotPools(database)({ upstreams, routes: [] })
          return upstreams.map((upstream) => pools.ofUpstream(upstream))
        }),
      )
      expect(poolNos[1]).toEqual(poolNos[0])
      expect(new Set(poolNos[0]).size).toBe(30)
      // Each upstream keeps its pool, although all names have shifted by one.
      if (poolNosBefore !== undefined) expect(poolNos[0]).toEqual(poolNosBefore)
      poolNosBefore = poolNos[0]
    }
  })

  it('four processes that claim, change pools and end tasks cause no deadlock', { timeout: 120_000 }, async () => {
    stores.push(await openStore(), await openStore())
    const processes = [...new Set(stores)]
    const upstreams = [await newPool('upstream', 'a'), await newPool('upstream', 'b'), await newPool('upstream', 'c')]
    const routes = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => newPool('route', name)))
    const grants = routes.map((route, index) =>
      grantOf(lane + (index % 4), { route, upstream: upstreams[index % 3]! }, { limit: 3, upstreamMax: 4 }),
    )
    const stopping = AbortSignal.timeout(isLongRun ? 60_000 : 2_000)
    const exceeded: number[] = []
    let claimedCount = 0
    async function runWorker(store: PostgresStore, seed: number): Promise<void> {
      for (let step = seed; !stopping.aborted; step++) {
        const chosen = step % 3 === 0 ? grants.toReversed() : grants
        const upstream = upstreams[step % upstreams.length]!
        const [claims] = await Promise.all([
          store.claim(chosen, leaseMs),
          store.changePool(upstream, changeOf(step, nowMs)),
          store.changePool(upstreams[(step + 1) % upstreams.length]!, { kind: 'reopen' }),
          store.takeDue(leaseMs, 10),
          acceptTasks(3, lane + (step % 4)),
        ])
        claimedCount += claims.length
        await Promise.all(claims.map((claim, index) => endAttempt(store, claim, step + index)))
      }
    }
    async function watch(): Promise<void> {
      while (!stopping.aborted) {
        await setTimeout(5)
        const rows = await rowsOf<{ taken: string }>(
          url,
          'select count(*) as taken from task_attempts where holds_slot = 1 group by upstream_pool',
        )
        exceeded.push(...rows.map(({ taken }) => Number(taken)).filter((count) => count > 4))
      }
    }
    await Promise.all([watch(), ...processes.flatMap((store, index) => [runWorker(store, index), runWorker(store, index + 5)])])
    // The server resolves a deadlock and the writer retries, so only the server's counter shows it.
    await setTimeout(1_100)
    const [stats] = await rowsOf<{ deadlocks: string }>(
      url,
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(Number(stats!.deadlocks)).toBe(0)
    expect(exceeded).toEqual([])
    expect(claimedCount).toBeGreaterThan(20)
    for (const no of [...upstreams, ...routes])
      expect(await stateOf(firstStore, no)).toMatchObject({ inFlight: 0, unconfirmed: 0 })
  })
})

async function stateOf(store: PostgresStore, no: number): Promise<PoolState | undefined> {
  return (await store.takeDue(leaseMs, 100)).pools.find((pool) => pool.no === no)
}

interface Limits {
  limit: number
  routeMax?: number
  upstreamMax?: number
}

function grantOf(
  targetLane: number,
  pools: { route: number; upstream: number },
  { limit, routeMax = 100, upstreamMax = 100 }: Limits,
): LaneGrant {
  const route = { pool: pools.route, inFlightMax: routeMax }
  const upstream = { pool: pools.upstream, inFlightMax: upstreamMax }
  return {
    lane: targetLane,
    routes: [{ route: `to ${pools.route}`, snapshotNo: 1, limit, deadlineMs: null, pools: { route, upstream } }],
  }
}

function changeOf(step: number, nowMs: number): PoolChange {
  if (step % 3 === 0) return { kind: 'pause', untilMs: nowMs + 10, refusals: 1, condition: 'throttled' }
  return { kind: step % 3 === 1 ? 'confirm' : 'reopen' }
}

/** Ends the attempt in one of the ways that release its slot. */
async function endAttempt(store: PostgresStore, claim: Claim, way: number): Promise<unknown> {
  const { number } = claim.attempt
  switch (way % 6) {
    case 0:
      return store.cancel(claim.id)
    case 1:
      return store.fail(claim, { code: 'upstream_failed', message: 'x' })
    case 2:
      return store.release([claim])
    case 3:
      return store.requeue(claim, { state: 'not_accepted', reason: 'throttled', detail: null, movesToBack: true }, startMs)
    default:
      if ((await store.beginAttempt(claim, number)) !== 'begun') return store.release([claim])
      await store.recordOperation(claim, number, '{}')
      if (way % 6 === 4) return store.complete(claim, [resultOf(claim)], 1)
      await store.cancel(claim.id)
      return store.releaseSlot(claim.id, number)
  }
}
