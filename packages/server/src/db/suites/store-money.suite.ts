import { setImmediate } from 'node:timers/promises'
import { nextStatuses } from '@framegate/contract'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTaskIds } from '../../identity/task-id.ts'
import { grantedMicroCreditsMax, GrantLimitExceeded } from '../grant-limit-exceeded.ts'
import type { LedgerEntry } from '../ledger.ts'
import type { Store } from '../store.ts'
import type { TaskRecord } from '../task-queries.ts'
import type { AcceptOutcome, Claim } from '../task-queue.ts'
import {
  casesOf,
  claimEmbedded,
  isLongRun,
  leaseMs,
  newAccount,
  newTask,
  resultOf,
  startMs,
  type StoreUnderTest,
} from '../store-under-test.ts'
import { closeBalanced } from '../store-with-account.ts'

const propertyRuns = casesOf({ long: 500, short: 8 })
const raceRounds = casesOf({ long: 1_000, short: 20 })
/** Number of entries in a page of the reads during which nothing is written. */
const idlePageLimit = 20

const anyAccount = fc.nat(1)
const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      account: anyAccount,
      price: fc.integer({ min: 0, max: 40 }),
      key: fc.option(fc.nat(3)),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('start' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('finish', 'finish twice', 'fail', 'cancel', 'retry', 'renew', 'release', 'record'),
      pick: fc.nat(),
      part: fc.integer({ min: 0, max: 99 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      account: anyAccount,
      amount: fc.integer({ min: 1, max: 60 }),
      lastsMs: fc.option(fc.constantFrom(0, 5, 1_000, leaseMs * 2)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      account: anyAccount,
      amount: fc.integer({ min: -40, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'expire' as const }) },
)
const anyLimits = fc.record({ tasksMax: fc.option(fc.integer({ min: 1, max: 4 })), overLimit: fc.constantFrom('refuse', 'wait') })
type Limits = typeof anyLimits extends fc.Arbitrary<infer One> ? One : never
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never

/**
 * Steps that start in the same tick, and the event after them: nothing, a short delay, the expiry
 * of all leases, a restart or a crash.
 */
const anyRound = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 5 }),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constant('short delay' as const) },
    { weight: 2, arbitrary: fc.constant('expired leases' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 2, arbitrary: fc.constant('crash' as const) },
  ),
})

/** The invariants of money that every store must keep, whatever the order of events. */
export function describeMoney(engine: StoreUnderTest): void {
  describe(`money in store: ${engine.name}`, () => {
    let nowMs = startMs
    let store: Store
    let nextId: () => string
    let accountCount = 0

    beforeEach(async () => {
      nowMs = startMs
      store = await engine.open(() => nowMs)
      nextId = createTaskIds(() => nowMs)
    })

    afterEach(() => closeBalanced(engine, store))

    it('the ledger is consistent after any sequence of operations', { timeout: isLongRun ? 3_600_000 : 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(anyLimits, fc.array(anyRound, { minLength: 5, maxLength: 15 }), async (limits, rounds) => {
          const scenario = new Scenario([await openAccount(100, limits), await openAccount(0)], limits)
          try {
            for (const round of rounds) {
              const steps = round.steps.map((step) => scenario.apply(step))
              steps.push(scenario.readLedgers())
              if (round.end === 'crash') {
                // A crash rejects the calls that are in progress. Their callers do not learn whether
                // the change was written.
                const settledSteps = Promise.allSettled(steps)
                await setImmediate()
                store = await engine.crash(() => nowMs)
                await settledSteps
              } else {
                await Promise.all(steps)
              }
              if (round.end === 'short delay') nowMs += 10
              if (round.end === 'expired leases') nowMs += leaseMs + 1
              if (round.end === 'restart') store = await engine.reopen(() => nowMs)
              await scenario.check()
            }
            await scenario.endEverything()
          } finally {
            // A failed run must not leave tasks that the next run could claim.
            await scenario.cancelAll()
          }
        }),
        { numRuns: propertyRuns },
      )
    })

    it('balances are exact to the micro-credit up to the maximum of an account', { timeout: 600_000 }, async () => {
      const amount = fc.oneof(
        fc.constantFrom(1, 1e15 - 1, 1e15, grantedMicroCreditsMax / 2, grantedMicroCreditsMax - 1, grantedMicroCreditsMax),
        fc.integer({ min: 1, max: grantedMicroCreditsMax }),
      )
      const movement = fc.record({ amount, kind: fc.constantFrom('grant', 'expiring grant', 'add', 'take', 'spend', 'restart') })
      await fc.assert(
        fc.asyncProperty(fc.array(movement, { minLength: 3, maxLength: 12 }), async (movements) => {
          const accountNo = await openAccount(0)
          let [granted, balance, charged] = [0n, 0n, 0n]
          for (const { kind, amount: size } of movements) {
            if (kind === 'restart') {
              store = await engine.reopen(() => nowMs)
            } else if (kind === 'spend') {
              const task = newTask({ id: nextId(), accountNo, priceMicroCredits: size })
              if ((await store.accept(task)).kind !== 'accepted') continue
              const [claim] = await claimEmbedded(store, 1, leaseMs)
              await store.complete(claim!, [resultOf(claim!)], size)
              balance -= BigInt(size)
              charged += BigInt(size)
            } else if (kind === 'take') {
              if (await store.adjust(accountNo, -size, 'x')) balance -= BigInt(size)
            } else {
              const expiresAtMs = kind === 'expiring grant' ? nowMs + 1e9 : undefined
              const change =
                kind === 'add' ? store.adjust(accountNo, size, 'x') : store.grant(accountNo, size, 'x', { expiresAtMs })
              if (granted + BigInt(size) <= grantedMicroCreditsMax) {
                expect(await change).toBe(true)
                granted += BigInt(size)
                balance += BigInt(size)
              } else {
                await expect(change).rejects.toEqual(new GrantLimitExceeded(Number(granted)))
              }
            }
          }
          expect(await readBalance(accountNo)).toEqual({ balance: Number(balance), held: 0 })
          const [newestEntry] = await store.listEntries({ accountNo, limit: 1 })
          expect(newestEntry?.balanceAfterMicroCredits ?? 0).toBe(Number(balance))
          const usage = await store.database
            .selectFrom('usage')
            .select(({ fn }) => fn.sum<number | null>('charged').as('charged'))
            .where('account_no', '=', accountNo)
            .executeTakeFirstOrThrow()
          expect(usage.charged ?? 0).toBe(Number(charged))
          expect((await store.verifyCredits()).differences).toEqual([])
        }),
        { numRuns: propertyRuns },
      )
    })

    it(
      `concurrent submits never overspend an account, in ${raceRounds} rounds`,
      { timeout: isLongRun ? 600_000 : 60_000 },
      async () => {
        for (let round = 0; round < raceRounds; round++) {
          const accountNo = await openAccount(100)
          const outcomes = await Promise.all(
            Array.from({ length: 64 }, async (_, index) => {
              // The submits begin in up to seven different ticks, so that they are spread over
              // several commits.
              for (let tick = 0; tick < (index * round) % 7; tick++) await setImmediate()
              return store.accept(newTask({ id: nextId(), accountNo }))
            }),
          )
          const kinds = outcomes.map((outcome) => outcome.kind)
          expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(10)
          expect(kinds.filter((kind) => kind === 'insufficient_credits')).toHaveLength(54)
          expect(await readBalance(accountNo)).toEqual({ balance: 0, held: 100 })
        }
      },
    )

    async function openAccount(microCredits: number, limits: Limits = { tasksMax: null, overLimit: 'refuse' }): Promise<number> {
      accountCount += 1
      const accountNo = await newAccount(store, `acct_${accountCount}`, microCredits)
      await store.database
        .updateTable('accounts')
        .set({ tasks_in_flight_max: limits.tasksMax, over_limit: limits.overLimit })
        .where('no', '=', accountNo)
        .execute()
      return accountNo
    }

    async function readBalance(accountNo: number): Promise<{ balance: number; held: number }> {
      return store.database
        .selectFrom('accounts')
        .select(['balance', 'held'])
        .where('no', '=', accountNo)
        .executeTakeFirstOrThrow()
    }

    /**
     * Two accounts from their creation to the end of their last task, together with everything that
     * the store has reported about them.
     */
    class Scenario {
      readonly #accounts: number[]
      /** Limits of the first account. */
      readonly #limits: Limits
      readonly #claims: Claim[] = []
      readonly #seen = new Map<string, TaskRecord>()
      /** Prices of the tasks that the store has accepted. An acceptance must never be lost. */
      readonly #accepted = new Map<string, number>()
      readonly #refused = new Set<string>()
      readonly #charged = new Map<string, number>()
      readonly #endedTwice: string[] = []
      /** Every entry that was read from the ledger of each account, newest first. */
      readonly #ledgers = new Map<number, LedgerEntry[]>()

      constructor(accounts: number[], limits: Limits) {
        this.#accounts = accounts
        this.#limits = limits
      }

      async apply(step: Step): Promise<void> {
        if (step.kind === 'start') this.#claims.push(...(await claimEmbedded(store, step.limit, leaseMs)))
        else if (step.kind === 'expire') await store.expireGrants()
        else if (step.kind === 'submit') await this.#submit(step)
        else if (step.kind === 'grant' || step.kind === 'adjust') await this.#changeCredits(step)
        else await this.#moveTask(step)
      }

      /**
       * Reads the ledgers page by page, possibly while other entries are written. The pages of a
       * ledger must contain every entry that existed when the first page was read.
       */
      async readLedgers(limit = 2): Promise<void> {
        for (const accountNo of this.#accounts) {
          const entries: LedgerEntry[] = []
          for (let previousEntry: LedgerEntry | undefined; ; previousEntry = entries.at(-1)) {
            const page = await store.listEntries({
              accountNo,
              limit,
              ...(previousEntry !== undefined && { before: previousEntry }),
            })
            entries.push(...page)
            if (page.length < limit) break
            await setImmediate()
          }
          expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => entries.length - index))
          expect(sum(entries.map(({ microCredits }) => microCredits))).toBe(entries[0]?.balanceAfterMicroCredits ?? 0)
          const earlierEntries = this.#ledgers.get(accountNo) ?? []
          expect(entries.slice(entries.length - earlierEntries.length)).toEqual(earlierEntries)
          this.#ledgers.set(accountNo, entries)
        }
      }

      async check(): Promise<void> {
        const tasks = await this.#listTasks()
        const tasksById = new Map(tasks.map((task) => [task.id, task]))
        checkHistory(tasks, this.#seen)
        expect(this.#endedTwice).toEqual([])
        for (const [id, price] of this.#accepted) expect(tasksById.get(id)?.priceMicroCredits, `${id} is lost`).toBe(price)
        for (const id of this.#refused) expect(tasksById.has(id), `${id} was refused and exists`).toBe(false)
        for (const [id, charge] of this.#charged) expect(tasksById.get(id)?.chargedMicroCredits, `${id} was charged`).toBe(charge)
        expect((await store.verifyCredits()).differences).toEqual([])
        await this.readLedgers(idlePageLimit)
        for (const accountNo of this.#accounts) await this.#checkBalance(accountNo, tasks)
        await this.#checkInFlight()
      }

      async endEverything(): Promise<void> {
        await this.cancelAll()
        await this.check()
        for (const accountNo of this.#accounts) expect((await readBalance(accountNo)).held).toBe(0)
      }

      async cancelAll(): Promise<void> {
        for (const { id, endedAtMs } of await this.#listTasks()) if (endedAtMs === null) await store.cancel(id)
      }

      async #listTasks(): Promise<TaskRecord[]> {
        return (await Promise.all(this.#accounts.map((accountNo) => store.list({ accountNo, limit: 1000 })))).flat()
      }

      /**
       * Checks that the tasks in flight do not exceed the limit, and that no task waits while there
       * is capacity.
       */
      async #checkInFlight(): Promise<void> {
        const { tasksMax, overLimit } = this.#limits
        if (tasksMax === null) return
        const unfinished = await store.database
          .selectFrom('tasks')
          .select('waits')
          .where('account_no', '=', this.#accountOf(0))
          .where('ended_at', 'is', null)
          .execute()
        const waitingCount = unfinished.filter(({ waits }) => waits === 1).length
        const inFlightCount = unfinished.length - waitingCount
        expect(inFlightCount).toBeLessThanOrEqual(tasksMax)
        if (overLimit === 'refuse') expect(waitingCount).toBe(0)
        if (waitingCount > 0) expect(inFlightCount).toBe(tasksMax)
      }

      /**
       * Checks that the balance is the sum of all grants, corrections and expiries, minus the
       * prices of unfinished tasks and the charges of ended ones.
       */
      async #checkBalance(accountNo: number, tasks: TaskRecord[]): Promise<void> {
        const { received } = await store.database
          .selectFrom('entries')
          .select(({ fn }) => fn.sum<number | null>('amount').as('received'))
          .where('account_no', '=', accountNo)
          .where('task_no', 'is', null)
          .executeTakeFirstOrThrow()
        const accountTasks = tasks.filter((task) => task.accountNo === accountNo)
        const heldSum = sum(accountTasks.map((task) => (task.endedAtMs === null ? task.priceMicroCredits : 0)))
        const charged = sum(accountTasks.map((task) => task.chargedMicroCredits ?? 0))
        expect(await readBalance(accountNo)).toEqual({ balance: (received ?? 0) - heldSum - charged, held: heldSum })
        const entries = this.#ledgers.get(accountNo) ?? []
        expect(entries[0]?.balanceAfterMicroCredits ?? 0).toBe((received ?? 0) - heldSum - charged)
        expect(sum(entries.map(({ heldMicroCredits }) => heldMicroCredits))).toBe(heldSum)
      }

      async #submit({ account, price, key }: Extract<Step, { kind: 'submit' }>): Promise<void> {
        const accountNo = this.#accountOf(account)
        const idempotency = key === null ? null : { key: `key ${key}`, digest: 'd' }
        const task = newTask({ id: nextId(), accountNo, priceMicroCredits: price, idempotency })
        const outcome: AcceptOutcome = await store.accept(task)
        if (outcome.kind === 'accepted') this.#accepted.set(task.id, price)
        else if (outcome.kind !== 'failed') this.#refused.add(task.id)
      }

      async #changeCredits(step: Extract<Step, { kind: 'grant' | 'adjust' }>): Promise<void> {
        const accountNo = this.#accountOf(step.account)
        if (step.kind === 'grant') {
          await store.grant(accountNo, step.amount, 'x', {
            expiresAtMs: step.lastsMs === null ? undefined : nowMs + step.lastsMs,
          })
        } else if (step.amount !== 0) {
          await store.adjust(accountNo, step.amount, 'x')
        }
      }

      async #moveTask({ kind, pick, part }: Extract<Step, { pick: number }>): Promise<void> {
        const claim = this.#claims[pick % Math.max(1, this.#claims.length)]
        if (claim === undefined) return
        const charge = Math.floor((claim.task.priceMicroCredits * part) / 99)
        if (kind === 'finish' || kind === 'finish twice') {
          const results = await Promise.all(
            Array.from({ length: kind === 'finish' ? 1 : 2 }, () => store.complete(claim, [resultOf(claim)], charge)),
          )
          for (const hasEnded of results) if (hasEnded) this.#recordCharge(claim.id, charge)
        }
        if (kind === 'fail' && (await store.fail(claim, { code: 'upstream_failed', message: 'x' })))
          this.#recordCharge(claim.id, 0)
        if (kind === 'cancel' && (await store.cancel(claim.id))) this.#recordCharge(claim.id, 0)
        if (kind === 'retry') await store.requeue(claim, { state: 'failed', reason: 'busy', detail: null }, nowMs + part)
        if (kind === 'renew') await store.renew([{ ...claim, progress: part }], leaseMs)
        if (kind === 'release') await store.release([claim])
        if (kind === 'record') await store.recordOperation(claim, claim.attempt.number, '{}')
      }

      #recordCharge(id: string, charge: number): void {
        if (this.#charged.has(id)) this.#endedTwice.push(id)
        this.#charged.set(id, charge)
      }

      #accountOf(index: number): number {
        return this.#accounts[index] ?? 0
      }
    }
  })
}

/**
 * Checks that no ended task has changed, that progress and version have not fallen, and that every
 * change of status is allowed.
 */
function checkHistory(tasks: TaskRecord[], lastSeen: Map<string, TaskRecord>): void {
  for (const task of tasks) {
    const previous = lastSeen.get(task.id)
    if (previous !== undefined) {
      if (previous.endedAtMs !== null) expect(task).toEqual(previous)
      expect(task.progress).toBeGreaterThanOrEqual(previous.progress)
      expect(task.version).toBeGreaterThanOrEqual(previous.version)
      if (task.status !== previous.status) expect(nextStatuses[previous.status]).toContain(task.status)
    }
    lastSeen.set(task.id, task)
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
