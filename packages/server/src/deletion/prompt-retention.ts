import type { Kysely } from 'kysely'
import type { Store } from '../db/store.ts'
import type { ExpiredResult } from '../db/task-queries.ts'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { dayMs } from '../lib/dates.ts'
import { firstTaskNoAt, taskIdOf, taskNoOf } from '../identity/task-id.ts'
import { withoutContent } from '../tasks/parameters-text.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

export interface PromptRetentionDependencies {
  store: Pick<Store, 'database' | 'erase' | 'writeAtomically'>
  /**
   * Retention of results. It also applies to the prompts of brands without a prompt retention of
   * their own.
   */
  resultRetentionMs: number
  clock: Clock
}

/**
 * Removes the prompts and inputs of ended tasks: together with the results, or after the number of
 * days that is set for the account's brand (storefront).
 *
 * There is no index of tasks by the time at which they ended, because it would slow down every
 * submit. Instead, a sweep reads tasks in the order of acceptance, once for each retention in use,
 * and stores its position in `prompt_sweeps`. If the next task is not due yet, the sweep waits at
 * this task for up to `waitMs`. Then it records the task in `prompts_left`, and continues with the
 * next one. Each sweep checks the recorded tasks again.
 */
export interface PromptRetention {
  sweep(signal: AbortSignal): Promise<void>
  /**
   * Removes the prompts of tasks whose results have expired, unless their brand has a prompt
   * retention of its own.
   */
  removeWithResults(results: readonly ExpiredResult[]): Promise<void>
}

interface Retention {
  /** Identifies the stored position in `prompt_sweeps`. */
  name: string
  durationMs: number
  /** The brands that have this retention. */
  brands: readonly SweptBrand[]
}

interface SweptBrand {
  no: number
  createdAtMs: number
}

const rowsPerBatch = 250
/** Pause between two steps, during which the database serves other queries. */
const pauseMs = 25
/**
 * Time for which a sweep waits at a task that is not due. It begins when the retention has elapsed
 * since the acceptance of the task. The task itself is due later, because its retention begins at
 * its end.
 */
const waitMs = 10 * 60 * 1000

export function createPromptRetention({ store, resultRetentionMs, clock }: PromptRetentionDependencies): PromptRetention {
  const { database } = store
  /** Number of the task in `prompts_left` after which the next sweep continues. */
  let lateAfterNo = 0

  async function readRetentions(): Promise<Retention[]> {
    const brands = await database
      .selectFrom('brands')
      .select(['no', 'prompt_retention_days as days', 'created_at'])
      .orderBy('no')
      .execute()
    const byName = Map.groupBy(brands, ({ days }) => (days === null ? `results ${resultRetentionMs}` : `days ${days}`))
    return Array.from(byName, ([name, group]) => {
      const days = group[0]?.days ?? null
      return {
        name,
        durationMs: days === null ? resultRetentionMs : days * dayMs,
        brands: group.map(({ no, created_at }) => ({ no, createdAtMs: created_at })),
      }
    })
  }

  async function removePrompts(tasks: readonly SweptTask[]): Promise<void> {
    const cleanedTasks = tasks.map((task) => ({
      id: task.id,
      parameters: withoutContent(task.parameters),
      before: task.parameters,
    }))
    const changedTasks = cleanedTasks.filter(({ parameters, before }) => parameters !== before)
    if (changedTasks.length > 0) await store.erase(changedTasks, { kind: 'prompt' })
  }

  /** Sweeps one page of tasks. Returns false if no further task can be due. */
  async function runStep({ name, durationMs, brands }: Retention): Promise<boolean> {
    const nowMs = clock()
    const brandNos = new Set(brands.map(({ no }) => no))
    const sweptNo = await readPosition(database, name, brands)
    const endNo = firstTaskNoAt(nowMs - durationMs)
    if (sweptNo >= endNo) {
      // The clock was ahead and was set back. Without this, tasks from now on could have lower numbers
      // than the position, and would keep their prompts.
      await storePosition(store, { name, brandNos, positionNo: endNo - 1, lateTaskNos: [] })
      return false
    }
    const rows = await selectTasks(database)
      .where('task.no', '>', sweptNo)
      .where('task.no', '<', endNo)
      .orderBy('task.no')
      .limit(rowsPerBatch)
      .execute()
    const dueTasks: SweptTask[] = []
    const lateTaskNos: number[] = []
    let positionNo = sweptNo
    let isStopped = false
    for (const row of rows) {
      if (brandNos.has(row.brand_no) && row.deleted_at === null) {
        const isDue = row.ended_at !== null && row.ended_at + durationMs <= nowMs
        isStopped = !isDue && row.no >= firstTaskNoAt(nowMs - durationMs - waitMs)
        if (isStopped) break
        if (isDue) dueTasks.push(sweptTask(row))
        else lateTaskNos.push(row.no)
      }
      positionNo = row.no
    }
    await removePrompts(dueTasks)
    if (positionNo > sweptNo) await storePosition(store, { name, brandNos, positionNo, lateTaskNos })
    return rows.length === rowsPerBatch && !isStopped
  }

  async function sweepLate(retentions: readonly Retention[]): Promise<void> {
    const rows = await selectTasks(database)
      .innerJoin('prompts_left as left', 'left.task_no', 'task.no')
      .where('left.task_no', '>', lateAfterNo)
      .orderBy('left.task_no')
      .limit(rowsPerBatch)
      .execute()
    lateAfterNo = rows.length === rowsPerBatch ? (rows.at(-1)?.no ?? 0) : 0
    const retentionMsOfBrand = new Map(
      retentions.flatMap(({ brands, durationMs }) => brands.map(({ no }) => [no, durationMs] as const)),
    )
    const doneRows = rows.filter(
      ({ brand_no, ended_at, deleted_at }) =>
        deleted_at !== null || (ended_at !== null && ended_at + (retentionMsOfBrand.get(brand_no) ?? 0) <= clock()),
    )
    if (doneRows.length === 0) return
    await removePrompts(doneRows.filter(({ deleted_at }) => deleted_at === null).map(sweptTask))
    const doneTaskNos = doneRows.map(({ no }) => no)
    await database.deleteFrom('prompts_left').where('task_no', 'in', doneTaskNos).execute()
  }

  return {
    async sweep(signal) {
      const retentions = await readRetentions()
      for (const retention of retentions) {
        while (!signal.aborted && (await runStep(retention))) await sleepUntilAborted(pauseMs, signal)
      }
      if (!signal.aborted) await sweepLate(retentions)
    },

    async removeWithResults(results) {
      if (results.length === 0) return
      const rows = await selectTasks(database)
        .where(
          'task.no',
          'in',
          results.map(({ taskId }) => taskNoOf(taskId)),
        )
        .where('task.deleted_at', 'is', null)
        .where('brand.prompt_retention_days', 'is', null)
        .execute()
      await removePrompts(rows.map(sweptTask))
    },
  }
}

interface SweptTask {
  id: string
  parameters: string
}

function selectTasks(database: Kysely<Tables>) {
  return database
    .selectFrom('tasks as task')
    .innerJoin('accounts as account', 'account.no', 'task.account_no')
    .innerJoin('brands as brand', 'brand.no', 'account.brand_no')
    .select(['task.no', 'task.tail', 'task.parameters', 'task.ended_at', 'task.deleted_at', 'account.brand_no'])
}

function sweptTask({ no, tail, parameters }: { no: number; tail: string; parameters: string }): SweptTask {
  return { id: taskIdOf(no, tail), parameters }
}

/**
 * Returns the position at which the sweep of a retention continues. If a brand has switched to this
 * retention since the last sweep, the sweep starts again at the brand's first task, unless it has
 * not reached that task yet.
 */
async function readPosition(database: Kysely<Tables>, name: string, brands: readonly SweptBrand[]): Promise<number> {
  const position = await database.selectFrom('prompt_sweeps').selectAll().where('retention', '=', name).executeTakeFirst()
  if (position === undefined) return 0
  const sweptBrands = new Set(JSON.parse(position.brands) as number[])
  const joinedTaskNos = brands.filter(({ no }) => !sweptBrands.has(no)).map(({ createdAtMs }) => firstTaskNoAt(createdAtMs))
  return Math.min(position.swept_no, ...joinedTaskNos)
}

interface SweepPosition {
  name: string
  brandNos: ReadonlySet<number>
  positionNo: number
  /** Tasks that the sweep passed before they were due. */
  lateTaskNos: readonly number[]
}

async function storePosition(
  store: Pick<Store, 'database' | 'writeAtomically'>,
  { name, brandNos, positionNo, lateTaskNos }: SweepPosition,
): Promise<void> {
  const values = { swept_no: positionNo, brands: JSON.stringify([...brandNos]) }
  const position = store.database
    .insertInto('prompt_sweeps')
    .values({ retention: name, ...values })
    .onConflict((conflict) => conflict.column('retention').doUpdateSet(values))
  const insertLate = store.database
    .insertInto('prompts_left')
    .values(lateTaskNos.map((task_no) => ({ task_no })))
    .onConflict((conflict) => conflict.doNothing())
  await store.writeAtomically(position.compile(), ...(lateTaskNos.length > 0 ? [insertLate.compile()] : []))
}
