import fc from 'fast-check'
import { usageOfAllDimensions, type UsageOfAllDimension } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readUsageReport, totalOf, type UsageItem } from '../../credits/read-usage-report.ts'
import { createUnresolvedAttempts } from '../../dispatch/unresolved-attempts.ts'
import { dateOf, dayAt, dayMs } from '../../lib/dates.ts'
import { microCreditsOf } from '../../credits/micro-credits.ts'
import { createTaskIds, taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import type { AttemptRoute, Claim } from '../task-queue.ts'
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

const propertyRuns = casesOf({ long: 500, short: 6 })

/** The stored route snapshots. The second one is another version of the first one's route. */
const snapshots = [
  { no: 1, name: 'north', upstream: 'one' },
  { no: 2, name: 'north', upstream: 'one' },
  { no: 3, name: 'south', upstream: 'two' },
] as const
const models = ['a model', 'another']

const anyPaid = fc.option(fc.integer({ min: 0, max: 50 }))
const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      account: fc.nat(1),
      key: fc.boolean(),
      model: fc.nat(1),
      price: fc.integer({ min: 0, max: 40 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('start' as const), route: fc.nat(3) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'complete',
        'fail',
        'lose reply',
        'return unusable result',
        'refuse',
        'retry',
        'cancel',
        'cancel waiting' as const,
      ),
      pick: fc.nat(),
      chargedTenths: fc.integer({ min: 0, max: 10 }),
      paid: anyPaid,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('come late', 'end without result', 'never start', 'refund upstream' as const),
      pick: fc.nat(),
      paid: anyPaid,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      account: fc.nat(1),
      amount: fc.integer({ min: -30, max: 30 }).filter((amount) => amount !== 0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'next day' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never

/**
 * The usage that the store must report for one cell. A cell is a combination of values of all
 * dimensions.
 */
interface ExpectedUsage {
  tasks: number
  amount: number
  cost: number
  /** Number of attempts whose cost is unknown. */
  unknownCosts: number
  corrections: number
}

/** An ended attempt at an upstream, with its cost if known. */
interface EndedAttempt {
  taskId: string
  number: number
  /** Name of the cell (`cellNameOf`) in which the attempt is counted. */
  cellName: string
  paid: number | null
  /** Whether a later finding can still change the cost of the attempt. */
  isUnresolved: boolean
}

interface TaskEnd extends Pick<EndedAttempt, 'paid' | 'isUnresolved'> {
  amount: number
  attempt: { snapshotNo: number; number: number } | null
}

/** An account with its key and its brand. */
interface Owner {
  no: number
  id: string
  keyNo: number
  keyId: string
  brand: string
}

/**
 * Requirements of every store: usage, revenue and cost agree with the ledger and with the attempts
 * to the micro-credit.
 */
export function describeUsage(engine: StoreUnderTest): void {
  describe(`usage in store: ${engine.name}`, () => {
    let nowMs = startMs
    let store: Store
    let nextId: () => string
    let accounts: Owner[]

    beforeEach(async () => {
      nowMs = startMs
      store = await engine.open(() => nowMs)
      nextId = createTaskIds(() => nowMs)
      for (const { no, name, upstream } of snapshots) {
        const definition = JSON.stringify({ name, upstream })
        const row = { no, digest: `digest ${no}`, definition, credential: null, created_at: 0, name, upstream }
        await store.database.insertInto('route_snapshots').values(row).execute()
      }
      accounts = []
    })

    afterEach(() => closeBalanced(engine, store))

    it(
      'usage equals the ledger to the micro-credit after any order of events',
      { timeout: isLongRun ? 3_600_000 : 300_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
            const scenario = new Scenario([await openAccount(1_000), await openAccount(100)])
            for (const step of steps) await scenario.apply(step)
            await scenario.cancelAll()
            await scenario.check()
          }),
          { numRuns: propertyRuns },
        )
      },
    )

    it('the ledger check finds a wrong charge, count or cost in the usage table', async () => {
      const { no: accountNo } = await openAccount(100)
      await store.accept(newTask({ id: nextId(), accountNo }))
      const [claim] = await claimEmbedded(store, 1, leaseMs, routeOf(1))
      await store.complete(claim!, [resultOf(claim!)], 7, { paidMicroCredits: 3 })
      for (const column of ['charged', 'completed', 'cost', 'cost_unknown'] as const) {
        const add = (increase: number) =>
          store.database
            .updateTable('usage')
            .set((row) => ({ [column]: row(column, '+', increase) }))
            .where('account_no', '=', accountNo)
            .execute()
        await add(1)
        const { differences } = await store.verifyCredits()
        expect(differences.join('\n'), column).toContain('its usage')
        await add(-1)
      }
    })

    it('the ledger check finds no difference if an attempt fails in the same millisecond in which its task ends', async () => {
      const { no: accountNo } = await openAccount(100)
      const ids = [nextId(), nextId()]
      for (const id of ids) await store.accept(newTask({ id, accountNo }))
      for (const claim of await claimEmbedded(store, 2, leaseMs, routeOf(1))) {
        await store.requeue(claim, { state: 'failed', reason: 'failed upstream', detail: null }, nowMs)
        expect(await store.cancel(claim.id)).toBe(true)
      }
      expect((await store.verifyCredits()).differences).toEqual([])
      await store.erase([{ id: ids[0]!, parameters: '{}' }], { kind: 'task' })
      expect((await store.verifyCredits()).differences).toEqual([])
    })

    it('a usage report for a period without tasks has no rows and zero totals', async () => {
      expect(await readReport(['account'])).toEqual([])
      expect(totalOf(await readReport(['day', 'model']))).toEqual({
        tasks: 0,
        completed: 0,
        failed: 0,
        seconds: 0,
        input_tokens: 0,
        cached_input_tokens: 0,
        output_tokens: 0,
        amount: 0,
        cost: 0,
        cost_unknown: 0,
        margin: 0,
        corrections: 0,
      })
    })

    async function openAccount(microCredits: number): Promise<Owner> {
      const id = `acct_${accounts.length}_${nextId()}`
      const no = await newAccount(store, id, microCredits)
      const keyId = `key_of_${id}`
      const key = { id: keyId, account_no: no, name: 'k', scopes: '[]', created_at: 0 }
      await store.database.insertInto('api_keys').values(key).execute()
      const { no: keyNo } = await store.database
        .selectFrom('api_keys')
        .select('no')
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow()
      const account = { no, id, keyNo, keyId, brand: `brand_of_${id}` }
      accounts.push(account)
      return account
    }

    async function readReport(
      dimensions: readonly UsageOfAllDimension[],
      filters: { account?: string; brand?: string } = {},
    ): Promise<UsageItem[]> {
      const days = { fromDay: dayAt(startMs), lastDay: dayAt(nowMs) }
      return readUsageReport(store, {
        ...days,
        by: dimensions,
        brand: filters.brand,
        account: filters.account,
        model: undefined,
        limit: 10_000,
      })
    }

    /**
     * Applies random steps to two accounts, and keeps the usage that the store must report for
     * them.
     */
    class Scenario {
      readonly #owners: Owner[]
      readonly #submitted = new Map<string, { day: number; owner: Owner; hasKey: boolean; model: string }>()
      #claims: Claim[] = []
      readonly #attempts: EndedAttempt[] = []
      readonly #expected = new Map<string, ExpectedUsage>()

      constructor(owners: Owner[]) {
        this.#owners = owners
      }

      async apply(step: Step): Promise<void> {
        switch (step.kind) {
          case 'submit': {
            const owner = this.#owners[step.account]!
            const model = models[step.model]!
            const id = nextId()
            const keyNo = step.key ? owner.keyNo : null
            const task = newTask({ id, accountNo: owner.no, keyNo, model, priceMicroCredits: step.price })
            const { kind } = await store.accept(task)
            if (kind === 'accepted') this.#submitted.set(id, { day: dayAt(nowMs), owner, hasKey: step.key, model })
            return
          }
          case 'start':
            for (const claim of await claimEmbedded(store, 1, leaseMs, routeOf(step.route))) {
              this.#forgetClaim(claim.id)
              this.#claims.push(claim)
            }
            return
          case 'correct': {
            const owner = this.#owners[step.account]!
            if (await store.adjust(owner.no, step.amount, 'x'))
              this.#cellOf(cellNameOf(dayAt(nowMs), owner)).corrections += step.amount
            return
          }
          case 'next day':
            nowMs += dayMs
            return
          case 'restart':
            store = await engine.reopen(() => nowMs)
            this.#claims = []
            return
          case 'crash':
            store = await engine.crash(() => nowMs)
            this.#claims = []
            return
          case 'come late':
          case 'end without result':
          case 'never start':
          case 'refund upstream':
            return this.#recordFinding(step)
          default:
            return this.#end(step)
        }
      }

      async cancelAll(): Promise<void> {
        for (const [id] of this.#submitted) {
          if ((await store.find(id))?.endedAtMs === null) await this.#cancel(id)
        }
      }

      async check(): Promise<void> {
        expect((await store.verifyCredits()).differences).toEqual([])
        await this.#checkLedger()
        const byAccount = await Promise.all(this.#owners.map(({ id }) => readReport(usageOfAllDimensions, { account: id })))
        expect(sumsOf(byAccount.flat(), usageOfAllDimensions)).toEqual(this.#expectedBy(usageOfAllDimensions))
        // The same report, grouped without accounts, keys and routes.
        const dimensions = ['day', 'brand', 'model', 'upstream'] as const
        const byBrand = await Promise.all(this.#owners.map(({ brand }) => readReport(dimensions, { brand })))
        expect(sumsOf(byBrand.flat(), dimensions)).toEqual(this.#expectedBy(dimensions))
      }

      /** Checks the amount and the corrections of each account against its ledger entries. */
      async #checkLedger(): Promise<void> {
        for (const { no, id } of this.#owners) {
          const entries = await store.database
            .selectFrom('entries')
            .innerJoin('tasks', 'tasks.no', 'entries.task_no')
            .select(({ fn }) => fn.sum<number | null>('amount').as('amount'))
            .where('entries.account_no', '=', no)
            .where('tasks.ended_at', 'is not', null)
            .executeTakeFirstOrThrow()
          const corrected = await store.database
            .selectFrom('entries')
            .select(({ fn }) => fn.sum<number | null>('amount').as('amount'))
            .where('account_no', '=', no)
            .where('kind', '=', 'adjust')
            .executeTakeFirstOrThrow()
          const { amount, corrections } = totalOf(await readReport(['account'], { account: id }))
          expect(microCreditsOf(amount)).toBe(0 - (entries.amount ?? 0))
          expect(microCreditsOf(corrections)).toBe(corrected.amount ?? 0)
        }
      }

      async #end({ kind, pick, chargedTenths, paid }: Extract<Step, { chargedTenths: number }>): Promise<void> {
        if (kind === 'cancel waiting') {
          const ids = [...this.#submitted.keys()]
          const id = ids[pick % Math.max(1, ids.length)]
          return id === undefined ? undefined : this.#cancel(id)
        }
        const claim = this.#claims[pick % Math.max(1, this.#claims.length)]
        if (claim === undefined) return
        const { id, attempt } = claim
        if (kind === 'cancel') return this.#cancel(id)
        if (kind === 'refuse') {
          await store.requeue(claim, { state: 'not_accepted', reason: 'busy', detail: null }, nowMs)
          return this.#forgetClaim(id)
        }
        if (kind === 'retry') {
          await store.requeue(claim, { state: 'failed', reason: 'failed upstream', detail: null }, nowMs)
          return this.#forgetClaim(id)
        }
        if (kind === 'complete') {
          const charge = Math.floor((claim.task.priceMicroCredits * chargedTenths) / 10)
          const isEnded = await store.complete(claim, [resultOf(claim)], charge, { paidMicroCredits: paid })
          if (isEnded) this.#recordEnding(id, { amount: charge, attempt, paid, isUnresolved: false })
          return
        }
        const failure = { code: 'upstream_failed', message: 'x' } as const
        const unresolvedReason =
          kind === 'lose reply'
            ? ('lost_reply' as const)
            : kind === 'return unusable result'
              ? ('unusable_result' as const)
              : null
        const note =
          kind === 'return unusable result'
            ? { unresolved: unresolvedReason, paidMicroCredits: paid }
            : { unresolved: unresolvedReason }
        const cost = kind === 'fail' ? 0 : kind === 'lose reply' ? null : paid
        if (await store.fail(claim, failure, note))
          this.#recordEnding(id, { amount: 0, attempt, paid: cost, isUnresolved: unresolvedReason !== null })
      }

      /** Records what became known about an attempt after the attempt had ended. */
      async #recordFinding({ kind, pick, paid }: Extract<Step, { paid: number | null }>): Promise<void> {
        const attempt = this.#attempts[pick % Math.max(1, this.#attempts.length)]
        if (attempt === undefined || !attempt.isUnresolved) return
        const { taskId, number } = attempt
        const unresolvedAttempts = createUnresolvedAttempts(store.database, () => nowMs)
        if (kind === 'come late') await unresolvedAttempts.recordLateEnd(taskId, number, { cost: null, paidMicroCredits: paid })
        else if (kind === 'refund upstream') {
          const change = store.database
            .updateTable('task_attempts')
            .set({ closed_at: nowMs, closing: 'refunded_upstream', paid: 0 })
            .where('task_no', '=', taskNoOf(taskId))
            .where('number', '=', number)
          await store.writeAtomically(change.compile())
        } else await unresolvedAttempts.close(taskId, number, kind === 'never start' ? 'never_started' : 'ended_without_result')
        const paidNow = kind === 'come late' ? paid : 0
        const cell = this.#cellOf(attempt.cellName)
        cell.cost += (paidNow ?? 0) - (attempt.paid ?? 0)
        cell.unknownCosts += (paidNow === null ? 1 : 0) - (attempt.paid === null ? 1 : 0)
        attempt.paid = paidNow
        attempt.isUnresolved = kind === 'come late'
      }

      async #cancel(id: string): Promise<void> {
        const running = await store.database
          .selectFrom('task_attempts')
          .select(['snapshot_no', 'number'])
          .where('task_no', '=', taskNoOf(id))
          .where('state', 'in', ['starting', 'started'])
          .executeTakeFirst()
        const attempt = running === undefined ? null : { snapshotNo: running.snapshot_no, number: running.number }
        if (await store.cancel(id)) this.#recordEnding(id, { amount: 0, attempt, paid: null, isUnresolved: true })
      }

      #recordEnding(id: string, { amount, attempt, paid, isUnresolved }: TaskEnd): void {
        this.#forgetClaim(id)
        const { day, owner, hasKey, model } = this.#submitted.get(id)!
        const cellName = cellNameOf(day, owner, {
          key: hasKey ? owner.keyId : null,
          model,
          snapshotNo: attempt?.snapshotNo ?? -1,
        })
        const cell = this.#cellOf(cellName)
        cell.tasks += 1
        cell.amount += amount
        if (attempt === null || attempt.snapshotNo === 0) return
        cell.cost += paid ?? 0
        cell.unknownCosts += paid === null ? 1 : 0
        this.#attempts.push({ taskId: id, number: attempt.number, cellName, paid, isUnresolved })
      }

      #forgetClaim(id: string): void {
        this.#claims = this.#claims.filter((claim) => claim.id !== id)
      }

      #cellOf(name: string): ExpectedUsage {
        const cell = this.#expected.get(name) ?? { tasks: 0, amount: 0, cost: 0, unknownCosts: 0, corrections: 0 }
        this.#expected.set(name, cell)
        return cell
      }

      #expectedBy(dimensions: readonly UsageOfAllDimension[]): Record<string, ExpectedUsage> {
        const sums: Record<string, ExpectedUsage> = {}
        for (const [name, cell] of this.#expected) {
          const names = JSON.parse(name) as Record<UsageOfAllDimension, unknown>
          addTo(sums, JSON.stringify(dimensions.map((dimension) => names[dimension])), cell)
        }
        return sums
      }
    }
  })
}

function routeOf(snapshotNo: number): AttemptRoute {
  return { route: snapshotNo === 0 ? 'embedded' : `route ${snapshotNo}`, snapshotNo }
}

/** Dimensions of a correction, which has no key, model or route. */
const correctionDimensions = { key: null, model: null, snapshotNo: -1 }

/** Returns the JSON of the values of all dimensions. */
function cellNameOf(
  day: number,
  owner: Owner,
  dimensions: { key: string | null; model: string | null; snapshotNo: number } = correctionDimensions,
): string {
  const route =
    dimensions.snapshotNo === 0
      ? { name: 'embedded', upstream: 'embedded' }
      : snapshots.find(({ no }) => no === dimensions.snapshotNo)
  return JSON.stringify({
    day: dateOf(day),
    brand: owner.brand,
    account: owner.id,
    key: dimensions.key,
    model: dimensions.model,
    route: route?.name ?? null,
    upstream: route?.upstream ?? null,
  })
}

function addTo(sums: Record<string, ExpectedUsage>, name: string, cell: ExpectedUsage): void {
  const sum = (sums[name] ??= { tasks: 0, amount: 0, cost: 0, unknownCosts: 0, corrections: 0 })
  for (const field of ['tasks', 'amount', 'cost', 'unknownCosts', 'corrections'] as const) sum[field] += cell[field]
}

function sumsOf(items: readonly UsageItem[], dimensions: readonly UsageOfAllDimension[]): Record<string, ExpectedUsage> {
  const sums: Record<string, ExpectedUsage> = {}
  for (const item of items) {
    const [amount, cost] = [microCreditsOf(item.amount), microCreditsOf(item.cost ?? 0)]
    const isKnown = cost > 0 || item.cost_unknown === 0
    expect(item.cost === null).toBe(!isKnown)
    expect(item.margin === null ? null : microCreditsOf(item.margin)).toBe(isKnown ? amount - cost : null)
    expect(item.completed + item.failed).toBe(item.tasks)
    addTo(sums, JSON.stringify(dimensions.map((dimension) => item[dimension] ?? null)), {
      tasks: item.tasks,
      amount,
      cost,
      unknownCosts: item.cost_unknown,
      corrections: microCreditsOf(item.corrections),
    })
  }
  return sums
}
