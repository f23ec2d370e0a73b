import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readUsage } from '../../credits/read-usage.ts'
import { creditsOf } from '../../credits/micro-credits.ts'
import { createTaskIds, taskNoOf } from '../../identity/task-id.ts'
import { dayAt } from '../../lib/dates.ts'
import type { ForwardedEnd, ForwardRoute, HoldOutcome, NewForwardedRequest } from '../forwarded-requests.ts'
import type { Store } from '../store.ts'
import { casesOf, isLongRun, leaseMs, newAccount, newTask, startMs, type StoreUnderTest } from '../store-under-test.ts'

const propertyRuns = casesOf({ long: 300, short: 6 })
const owner = 'process 1'
/** Number of slots of the upstream, and of each of its two routes. */
const [upstreamMax, routeMax] = [3, 2]
const pools = { upstream: 1, routes: [2, 3] } as const

function routeOf(index: 0 | 1): ForwardRoute {
  return {
    snapshotNo: index + 1,
    pools: {
      route: { pool: pools.routes[index], inFlightMax: routeMax },
      upstream: { pool: pools.upstream, inFlightMax: upstreamMax },
    },
  }
}

const completed: ForwardedEnd = {
  outcome: 'completed',
  chargeMicroCredits: 4,
  inputTokens: 20,
  cachedInputTokens: 8,
  outputTokens: 5,
  isEstimated: false,
  paidMicroCredits: 2,
}
const failed: ForwardedEnd = { ...completed, outcome: 'failed', chargeMicroCredits: 0, paidMicroCredits: null }

const anyIndex = fc.constantFrom(0 as const, 1 as const)
const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      account: anyIndex,
      price: fc.integer({ min: 0, max: 40 }),
      route: anyIndex,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('complete' as const, 'fail' as const, 'end twice' as const),
      pick: fc.nat(),
      chargePercent: fc.nat(100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), pick: fc.nat(), route: anyIndex }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('submit' as const), account: anyIndex, price: fc.integer({ min: 0, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      account: anyIndex,
      amount: fc.integer({ min: 1, max: 60 }),
      lastsMs: fc.option(fc.constantFrom(0, 5, leaseMs)),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'renew' as const }, { kind: 'wait' as const }, { kind: 'sweep' as const }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never

/** Requirements of every store: forwarded requests. */
export function describeForwarded(engine: StoreUnderTest): void {
  describe(`forwarded requests of the store: ${engine.name}`, () => {
    let store: Store
    let accounts: [number, number]
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      await open()
    })
    afterEach(async () => {
      expect((await store.verifyCredits()).differences).toEqual([])
      await engine.close()
    })

    async function open(): Promise<void> {
      store = await engine.open(() => nowMs)
      accounts = [await newAccount(store, 'acct_one', 100), await newAccount(store, 'acct_two', 0)]
      nextId = createTaskIds(() => nowMs)
      for (const no of [pools.upstream, ...pools.routes]) {
        const kind = no === pools.upstream ? 'upstream' : 'route'
        await store.database
          .insertInto('slot_pools')
          .values({ no, kind, name: `${no}`, target: `${no}`, unconfirmed_max: null })
          .execute()
      }
    }

    function newRequest(overrides: Partial<NewForwardedRequest> = {}): NewForwardedRequest {
      return {
        no: taskNoOf(nextId()),
        requestId: 'req_1',
        owner,
        accountNo: accounts[0],
        keyNo: overrides.accountNo === accounts[1] ? 8 : 7,
        model: 'harbor-chat',
        object: 'chat',
        priceMicroCredits: 10,
        priceNo: null,
        route: routeOf(0),
        leaseMs,
        ...overrides,
      }
    }

    async function hold(overrides: Partial<NewForwardedRequest> = {}): Promise<number> {
      const forwardRequest = newRequest(overrides)
      expect(await store.holdForwarded(forwardRequest)).toEqual({ kind: 'held' })
      return forwardRequest.no
    }

    const readBalance = async (accountNo = accounts[0]) =>
      await store.database
        .selectFrom('accounts')
        .select(['balance', 'held'])
        .where('no', '=', accountNo)
        .executeTakeFirstOrThrow()
    const readSlots = async () => (await store.readPools()).map(({ inFlight, unconfirmed }) => [inFlight, unconfirmed])

    it('a hold reserves credits and slots, and its end returns the uncharged credits', async () => {
      const no = await hold()
      expect(await readBalance()).toEqual({ balance: 90, held: 10 })
      expect(await readSlots()).toEqual([
        [1, 0],
        [1, 0],
        [0, 0],
      ])
      expect(await store.endForwarded(no, completed)).toBe(true)
      expect(await store.endForwarded(no, completed)).toBe(false)
      expect(await readBalance()).toEqual({ balance: 96, held: 0 })
      expect(await readSlots()).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ])
      const [settled, heldEntry] = await store.listEntries({ accountNo: accounts[0], limit: 2 })
      expect([heldEntry?.kind, settled?.kind]).toEqual(['hold', 'settle'])
      expect(settled).toMatchObject({
        taskId: null,
        microCredits: 6,
        request: {
          requestId: 'req_1',
          model: 'harbor-chat',
          inputTokens: 20,
          cachedInputTokens: 8,
          outputTokens: 5,
          isEstimated: false,
        },
      })
    })

    it('a failed request returns its hold completely, and is counted as failed', async () => {
      await store.endForwarded(await hold(), failed)
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
      expect(await store.listEntries({ accountNo: accounts[0], limit: 1 })).toMatchObject([{ kind: 'release' }])
      const day = dayAt(nowMs)
      const usage = await readUsage(store.database, {
        accountNo: accounts[0],
        fromDay: day,
        lastDay: day,
        by: [],
        limit: 10,
      })
      expect(usage).toMatchObject([{ completed: 0, failed: 1, charged: 0 }])
    })

    it('a request that exceeds the balance or the spending limit of its key is refused', async () => {
      expect(await store.holdForwarded(newRequest({ priceMicroCredits: 101 }))).toEqual({
        kind: 'insufficient_credits',
        balanceMicroCredits: 100,
      })
      await store.database
        .insertInto('api_keys')
        .values({
          no: 7,
          id: 'key_7',
          account_no: accounts[0],
          name: 'limited',
          scopes: '[]',
          spent_per_day_max: 15,
          created_at: 0,
        })
        .execute()
      const no = await hold()
      const refusal = { kind: 'spending_limit', period: 'day', maxMicroCredits: 15, spentMicroCredits: 10 }
      expect(await store.holdForwarded(newRequest())).toEqual(refusal)
      await store.endForwarded(no, completed)
      await hold()
      expect(await store.holdForwarded(newRequest({ priceMicroCredits: 2 }))).toMatchObject({
        kind: 'spending_limit',
        spentMicroCredits: 14,
      })
    })

    it('the slot limits of routes and of their upstream are never exceeded, and a request may move to another route', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => store.holdForwarded(newRequest({ priceMicroCredits: 1 }))),
      )
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['held', 'held', 'no_slot', 'no_slot'])
      const otherRouteNo = await hold({ priceMicroCredits: 1, route: routeOf(1) })
      expect(await store.holdForwarded(newRequest({ route: routeOf(1) }))).toEqual({ kind: 'no_slot' })
      expect(await store.moveForwarded(otherRouteNo, routeOf(0))).toBe(false)
      expect(await readSlots()).toEqual([
        [3, 0],
        [2, 0],
        [1, 0],
      ])
      await store.changePool(pools.routes[0], { kind: 'pause', untilMs: nowMs + 1_000, refusals: 1, condition: 'unavailable' })
      const [oldest] = await store.database.selectFrom('forwarded_requests').select('no').orderBy('no').execute()
      expect(await store.moveForwarded(oldest!.no, routeOf(1))).toBe(true)
      expect(await readSlots()).toEqual([
        [3, 0],
        [1, 0],
        [2, 0],
      ])
    })

    it('any process ends a request whose lease has expired, but not a request whose lease was renewed', async () => {
      const [renewedNo, expiredNo] = [await hold(), await hold({ owner: 'process 2' })]
      nowMs += leaseMs - 1
      expect(await store.endAbandonedRequests()).toBe(0)
      await store.renewForwarded(owner, leaseMs)
      nowMs += 1
      expect(await store.endAbandonedRequests()).toBe(1)
      expect(await store.endForwarded(expiredNo, completed)).toBe(false)
      expect(await readBalance()).toEqual({ balance: 90, held: 10 })
      expect(await store.endForwarded(renewedNo, completed)).toBe(true)
    })

    it('a process does not end its own requests whose lease has expired', async () => {
      const [ownNo] = [await hold(), await hold({ owner: 'process 2' })]
      nowMs += leaseMs
      expect(await store.endAbandonedRequests(owner)).toBe(1)
      expect(await store.endForwarded(ownNo, completed)).toBe(true)
    })

    it('the next process ends the requests of a killed process and frees their slots', async () => {
      await hold()
      store = await engine.crash(() => nowMs)
      if (!store.isShared) expect(await store.endAbandonedRequests()).toBe(1)
      nowMs += leaseMs
      await store.endAbandonedRequests()
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
      expect(await readSlots()).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ])
    })

    it('credits that expire while a request holds them are removed when its end releases them', async () => {
      await store.grant(accounts[1], 30, 'soon', { expiresAtMs: nowMs + 10 })
      const no = await hold({ accountNo: accounts[1] })
      nowMs += 10
      await store.expireGrants()
      await store.endForwarded(no, completed)
      expect(await readBalance(accounts[1])).toEqual({ balance: 0, held: 0 })
    })

    it('the ledger check describes an open request without a hold, and a request that took too much of a grant', async () => {
      await store.grant(accounts[1], 30, 'soon', { expiresAtMs: nowMs + 1_000 })
      const no = await hold({ accountNo: accounts[1] })
      await store.database.updateTable('forwarded_requests').set({ price: 9 }).where('no', '=', no).execute()
      expect((await store.verifyCredits()).differences).toContain(
        `task or request ${no} took 10 from grant 1 and was charged nothing`,
      )
      await store.database
        .updateTable('forwarded_requests')
        .set({ no: no + 1, price: 10 })
        .where('no', '=', no)
        .execute()
      expect((await store.verifyCredits()).differences).toContain(
        `request ${no + 1} (running) has no entry as its hold and nothing as its end`,
      )
      await store.database
        .updateTable('forwarded_requests')
        .set({ no })
        .where('no', '=', no + 1)
        .execute()
    })

    it(
      'the ledger of requests and tasks is consistent after any sequence of steps',
      { timeout: isLongRun ? 600_000 : 60_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.array(anyStep, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), async (rounds) => {
            await engine.close()
            nowMs = startMs
            await open()
            const scenario = new Scenario()
            for (const steps of rounds) {
              await Promise.all(steps.map((step) => scenario.apply(step)))
              expect((await store.verifyCredits()).differences).toEqual([])
              const [upstream, ...routes] = await store.readPools()
              expect(upstream!.inFlight).toBeLessThanOrEqual(upstreamMax)
              for (const { inFlight } of routes) expect(inFlight).toBeLessThanOrEqual(routeMax)
              expect(routes[0]!.inFlight + routes[1]!.inFlight).toBe(upstream!.inFlight)
            }
            nowMs += 2 * leaseMs
            while ((await store.endAbandonedRequests()) > 0);
            for (const accountNo of accounts) {
              const day = dayAt(startMs)
              const usage = await readUsage(store.database, { accountNo, fromDay: day, lastDay: day + 1, by: [], limit: 10 })
              expect(usage[0]?.charged ?? 0).toBe(creditsOf(scenario.chargedOf(accountNo)))
            }
          }),
          { numRuns: propertyRuns },
        )
      },
    )

    /** Applies random steps, and adds up the charges that the store must report. */
    class Scenario {
      readonly #openRequests: { no: number; accountNo: number; price: number }[] = []
      readonly #charged = new Map<number, number>()

      chargedOf(accountNo: number): number {
        return this.#charged.get(accountNo) ?? 0
      }

      async apply(step: Step): Promise<void> {
        switch (step.kind) {
          case 'hold': {
            const accountNo = accounts[step.account]
            const forwardRequest = newRequest({ accountNo, priceMicroCredits: step.price, route: routeOf(step.route) })
            const outcome: HoldOutcome = await store.holdForwarded(forwardRequest)
            if (outcome.kind === 'held') this.#openRequests.push({ no: forwardRequest.no, accountNo, price: step.price })
            return
          }
          case 'complete':
          case 'fail':
          case 'end twice': {
            const [picked] = this.#openRequests.splice(step.pick % Math.max(1, this.#openRequests.length), 1)
            if (picked === undefined) return
            const charge = step.kind === 'fail' ? 0 : Math.floor((picked.price * step.chargePercent) / 100)
            const end = {
              ...completed,
              outcome: step.kind === 'fail' ? ('failed' as const) : ('completed' as const),
              chargeMicroCredits: charge,
            }
            const results = await Promise.all(
              Array.from({ length: step.kind === 'end twice' ? 2 : 1 }, () => store.endForwarded(picked.no, end)),
            )
            // At most one call ends the request. No call ends a request that was already abandoned.
            expect(results.filter(Boolean).length).toBeLessThanOrEqual(1)
            if (results.some(Boolean)) this.#charged.set(picked.accountNo, this.chargedOf(picked.accountNo) + charge)
            return
          }
          case 'move': {
            const picked = this.#openRequests[step.pick % Math.max(1, this.#openRequests.length)]
            if (picked !== undefined) await store.moveForwarded(picked.no, routeOf(step.route))
            return
          }
          case 'submit':
            await store.accept(newTask({ id: nextId(), accountNo: accounts[step.account], priceMicroCredits: step.price }))
            return
          case 'grant': {
            const expiresAtMs = step.lastsMs === null ? {} : { expiresAtMs: nowMs + step.lastsMs }
            await store.grant(accounts[step.account], step.amount, 'more', expiresAtMs)
            return
          }
          case 'renew':
            return store.renewForwarded(owner, leaseMs)
          case 'wait':
            nowMs += leaseMs / 2
            return
          case 'sweep':
            await store.endAbandonedRequests()
            return
          default:
            step satisfies never
        }
      }
    }
  })
}
