import type { Erasure } from '@framegate/contract'
import { sql, type Selectable } from 'kysely'
import type { Assets } from '../assets/assets.ts'
import type { ExtraStatements } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { ErasureRow } from '../db/tables/account-tables.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { WebhookRemoval } from '../webhooks/remove-webhooks.ts'
import { mapNullable } from '../lib/map-nullable.ts'
import type { TaskDeletion } from './task-deletion.ts'

/** Number of tasks that one step deletes. */
const tasksPerBatch = 100
const auditRowsPerBatch = 500
const failureMessage = 'the erasure of an account failed; this will be retried'
/**
 * Time after the end of an erasure during which every sweep checks it again, because a request that
 * was in progress when the account was closed may have created a task, an asset or a webhook.
 */
const recheckPeriodMs = 60 * 60_000
const erasedText = 'erased'
/**
 * Pause after the first failure of an erasure. It is shorter than the interval of sweeps, so the
 * next sweep retries the erasure. Each further failure doubles the pause.
 */
const firstPauseMs = 30_000
const pauseMsMax = 60 * 60_000

export interface AccountErasureDependencies {
  store: Pick<Store, 'database' | 'writeAtomically' | 'erase'>
  deletion: Pick<TaskDeletion, 'deleteTasks'>
  assets: Pick<Assets, 'eraseAccount'>
  webhooks: Pick<WebhookRemoval, 'eraseAccount'>
  clock: Clock
  logger: Pick<Logger, 'error'>
  /** A monotonic clock in milliseconds. Default: that of the process. */
  monotonicMs?: () => number
}

/** An erasure that has failed in this process. */
interface FailingErasure {
  failures: number
  /** Monotonic time before which a sweep does not retry the erasure. */
  pausedUntilMs: number
}

/**
 * Erases closed accounts: their tasks, assets and webhooks, the names of the account and its keys,
 * and these names and all notes in its audit entries. The ledger, including operators' notes, and
 * the usage are kept. An erasure is a row of `erasures`. Every step is bounded and idempotent, and
 * determines the remaining work itself, so any process can continue an interrupted erasure.
 */
export interface AccountErasure {
  /**
   * Begins the erasure of an account, which the API key `keyNo` has requested. An existing erasure
   * does not change, and `extraStatements` are then not executed.
   */
  begin(accountNo: number, keyNo: number, extraStatements: ReturnType<ExtraStatements>): Promise<void>
  /** Continues the erasure of an account until it is finished or the signal aborts. */
  work(accountNo: number, signal: AbortSignal): Promise<void>
  find(accountNo: number, accountId: string): Promise<Erasure | undefined>
  /**
   * Continues unfinished erasures, and checks recently finished ones again. An erasure that fails
   * is logged and does not affect the others. Later sweeps retry it, with growing pauses.
   */
  sweep(signal: AbortSignal): Promise<void>
}

export function createAccountErasure(dependencies: AccountErasureDependencies): AccountErasure {
  const { store, deletion, assets, webhooks, clock, logger, monotonicMs = () => performance.now() } = dependencies
  const { database } = store
  /** Failing erasures by the number of their account. */
  const failing = new Map<number, FailingErasure>()

  async function eraseAccount(accountNo: number, signal: AbortSignal): Promise<void> {
    await eraseContent(accountNo, signal)
    if (signal.aborted) return
    await eraseNames(accountNo)
    await eraseAuditLog(accountNo, signal)
    if (signal.aborted) return
    // Makes SQLite empty its write-ahead log, which still contains the replaced names and notes.
    await store.erase([], { kind: 'task' })
    await database
      .updateTable('erasures')
      .set({ finished_at: clock() })
      .where('account_no', '=', accountNo)
      .where('finished_at', 'is', null)
      .execute()
  }

  async function eraseContent(accountNo: number, signal: AbortSignal): Promise<void> {
    await eraseTasks(accountNo, signal)
    if (signal.aborted) return
    await assets.eraseAccount(accountNo, signal)
    if (signal.aborted) return
    await webhooks.eraseAccount(accountNo, signal)
  }

  async function eraseTasks(accountNo: number, signal: AbortSignal): Promise<void> {
    const filter = { accountNo, limit: tasksPerBatch }
    let { nextCursor } = await deletion.deleteTasks(filter, accountNo)
    while (nextCursor !== null && !signal.aborted) {
      ;({ nextCursor } = await deletion.deleteTasks({ ...filter, cursor: nextCursor }, accountNo))
    }
  }

  async function eraseNames(accountNo: number): Promise<void> {
    const account = database.updateTable('accounts').set({ name: erasedText }).where('no', '=', accountNo)
    const keys = database.updateTable('api_keys').set({ name: erasedText }).where('account_no', '=', accountNo)
    const updateCount = database
      .updateTable('erasures')
      .set((row) => ({
        keys: row
          .selectFrom('api_keys')
          .select(({ fn }) => fn.countAll<number>().as('keys'))
          .where('api_keys.account_no', '=', accountNo),
        // The rows of deleted assets are kept for a day, so they can still be counted.
        assets: row
          .selectFrom('assets')
          .select(({ fn }) => fn.countAll<number>().as('assets'))
          .where('assets.account_no', '=', accountNo)
          .where('assets.deleted_at', '>=', row.ref('erasures.requested_at')),
      }))
      .where('account_no', '=', accountNo)
      .where('finished_at', 'is', null)
    await store.writeAtomically(account.compile(), keys.compile(), updateCount.compile())
  }

  /**
   * Removes the names and notes of the account and its keys from the audit log, including the
   * entries about its prices and tasks. Reads all entries in batches, because the log has no index
   * by target.
   */
  async function eraseAuditLog(accountNo: number, signal: AbortSignal): Promise<void> {
    const { id } = await database.selectFrom('accounts').select('id').where('no', '=', accountNo).executeTakeFirstOrThrow()
    const keys = await database.selectFrom('api_keys').select('id').where('account_no', '=', accountNo).execute()
    const targets = new Set([id, ...keys.map((key) => key.id)])
    for (let afterNo = 0; !signal.aborted;) {
      const rows = await database
        .selectFrom('audit_log')
        .select(['no', 'target', 'before', 'after'])
        .where('no', '>', afterNo)
        .orderBy('no')
        .limit(auditRowsPerBatch)
        .execute()
      for (const { no, target, before, after } of rows) {
        const isOfAccount = targets.has(target) || [before, after].some((json) => json?.includes(`"account":"${id}"`) === true)
        if (!isOfAccount) continue
        const [cleanedBefore, cleanedAfter] = [mapNullable(before, withoutTexts), mapNullable(after, withoutTexts)]
        if (cleanedBefore === before && cleanedAfter === after) continue
        const change = database
          .updateTable('audit_log')
          .set({ before: cleanedBefore, after: cleanedAfter })
          .where('no', '=', no)
          // If another process has changed the row in the meantime, neither this update nor the
          // count below has an effect.
          .where(sql<string>`coalesce(before, '')`, '=', before ?? '')
          .where(sql<string>`coalesce(after, '')`, '=', after ?? '')
        const updateCount = database
          .updateTable('erasures')
          .set((row) => ({ audit_entries: row('audit_entries', '+', 1) }))
          .where('account_no', '=', accountNo)
        await store.writeAtomically(change.compile(), updateCount.compile())
      }
      afterNo = rows.at(-1)?.no ?? afterNo
      if (rows.length < auditRowsPerBatch) return
    }
  }

  return {
    work: eraseAccount,

    async begin(accountNo, keyNo, extraStatements) {
      const insertStatement = database
        .insertInto('erasures')
        .values({ account_no: accountNo, key_no: keyNo, requested_at: clock() })
        .onConflict((conflict) => conflict.column('account_no').doNothing())
      await store.writeAtomically(insertStatement.compile(), ...extraStatements)
    },

    async find(accountNo, accountId) {
      const row = await database.selectFrom('erasures').selectAll().where('account_no', '=', accountNo).executeTakeFirst()
      return row && erasureView(row, accountId)
    },

    async sweep(signal) {
      const erasures = await database
        .selectFrom('erasures')
        .innerJoin('accounts', 'accounts.no', 'erasures.account_no')
        .select(['account_no', 'finished_at', 'accounts.id'])
        .where((row) => row.or([row('finished_at', 'is', null), row('finished_at', '>', clock() - recheckPeriodMs)]))
        .execute()
      for (const { account_no: accountNo, finished_at: finishedAtMs, id } of erasures) {
        if (signal.aborted) return
        const failingErasure = failing.get(accountNo)
        if (failingErasure !== undefined && monotonicMs() < failingErasure.pausedUntilMs) continue
        try {
          if (finishedAtMs === null) await eraseAccount(accountNo, signal)
          else await eraseContent(accountNo, signal)
          if (!signal.aborted) failing.delete(accountNo)
        } catch (err) {
          if (signal.aborted) return
          const failures = (failingErasure?.failures ?? 0) + 1
          const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), pauseMsMax)
          failing.set(accountNo, { failures, pausedUntilMs: monotonicMs() + pauseMs })
          logger.error({ err, account: id, failures, pauseSeconds: pauseMs / 1000 }, failureMessage)
        }
      }
    },
  }
}

function erasureView(row: Selectable<ErasureRow>, accountId: string): Erasure {
  return {
    object: 'erasure',
    account: accountId,
    status: row.finished_at === null ? 'running' : 'completed',
    tasks: row.tasks,
    results: row.results,
    assets: row.assets,
    keys: row.keys,
    audit_entries: row.audit_entries,
    requested: Math.floor(row.requested_at / 1000),
    completed: mapNullable(row.finished_at, (ms) => Math.floor(ms / 1000)),
  }
}

const textFields = new Set(['name', 'account_name', 'key_name', 'note'])

/** Removes names and notes from a JSON record of the audit log. */
function withoutTexts(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value: unknown) =>
    textFields.has(name) && typeof value === 'string' ? erasedText : value,
  )
}
