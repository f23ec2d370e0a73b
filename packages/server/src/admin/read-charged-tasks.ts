import { sql } from 'kysely'
import type { PriceOwner } from '../catalogue/price-book.ts'
import type { Store } from '../db/store.ts'
import type { Improvement } from '../db/task-queries.ts'

/** Maximum number of tasks that one statement reads, so that a page takes a few milliseconds. */
const pageSize = 1_000

/** A completed task with the data that determines its price. */
export interface ChargedTask {
  model: string
  versionNo: number | null
  accountNo: number
  brandNo: number
  /** The stored parameters, as JSON. */
  parameters: string
  /** Micro-credits that were held when the task was accepted. */
  held: number
  /**
   * Number of the `PriceLine` that set the price when the task was accepted. Null: the catalogue's
   * price applied.
   */
  priceNo: number | null
  /** Micro-credits that were charged. */
  charged: number
  /** Length of each result in seconds. Null for an image or a text. */
  producedSeconds: (number | null)[]
  /** Whether the results were generated from an improved prompt. */
  isImproved: boolean
}

export interface ChargedTasksQuery {
  models: readonly string[]
  /**
   * Restricts the tasks to this brand or account. If both are null, the tasks of all accounts are
   * read.
   */
  owner: PriceOwner
  fromNo: number
  beforeNo: number
}

export interface ChargedTasksPage {
  tasks: ChargedTask[]
  /** Number of task rows that were scanned for this page. */
  rowsRead: number
  /** `beforeNo` of the next page. Equal to `fromNo` on the last page. */
  nextBeforeNo: number
}

/**
 * Reads completed tasks of `models` with their results, newest first. Tasks are not indexed by
 * model. A page is therefore a range of task numbers. It may contain no tasks of `models`, although
 * later pages do.
 */
export async function readChargedTasks(
  store: Pick<Store, 'database' | 'readMany'>,
  { models, owner, fromNo, beforeNo }: ChargedTasksQuery,
): Promise<ChargedTasksPage> {
  const range = sql`select no from all_tasks where no >= ${fromNo} and no < ${beforeNo} order by no desc limit ${pageSize}`
  const [extent] = await store.readMany(
    sql`select count(*) as read, min(no) as first from (${range}) page`.compile(store.database),
  )
  const rowsRead = Number(extent?.['read'] ?? 0)
  const firstNo = rowsRead < pageSize ? fromNo : Number(extent?.['first'])
  if (rowsRead === 0) return { tasks: [], rowsRead, nextBeforeNo: fromNo }
  const brandFilter = owner.brandNo === null ? sql`` : sql`and account.brand_no = ${owner.brandNo}`
  const accountFilter = owner.accountNo === null ? sql`` : sql`and task.account_no = ${owner.accountNo}`
  const rows = await store.readMany(
    sql`
      select task.no, task.model, task.model_version_no, task.account_no, account.brand_no, task.parameters, task.price,
        task.price_no, task.charged, task.improvement, result.duration_ms
      from all_tasks task
      join accounts account on account.no = task.account_no
      join all_results result on result.task_no = task.no
      where task.no >= ${firstNo} and task.no < ${beforeNo} and task.status = 'completed'
        and task.model in (${sql.join(models)}) ${brandFilter} ${accountFilter}
      order by task.no desc, result.position`.compile(store.database),
  )
  return { tasks: groupByTask(rows as unknown as ChargedRow[]), rowsRead, nextBeforeNo: firstNo }
}

interface ChargedRow {
  no: number
  model: string
  model_version_no: number | null
  account_no: number
  brand_no: number
  parameters: string
  price: number
  price_no: number | null
  charged: number | null
  improvement: string | null
  duration_ms: number | null
}

/** Groups the rows, one for each result, by task. */
function groupByTask(rows: readonly ChargedRow[]): ChargedTask[] {
  const tasks = new Map<number, ChargedTask>()
  for (const row of rows) {
    const producedSeconds = row.duration_ms === null ? null : row.duration_ms / 1000
    const task = tasks.get(row.no)
    if (task === undefined) tasks.set(row.no, taskOf(row, producedSeconds))
    else task.producedSeconds.push(producedSeconds)
  }
  return [...tasks.values()]
}

function taskOf(row: ChargedRow, resultSeconds: number | null): ChargedTask {
  const improvement = row.improvement === null ? null : (JSON.parse(row.improvement) as Improvement)
  return {
    model: row.model,
    versionNo: row.model_version_no,
    accountNo: row.account_no,
    brandNo: row.brand_no,
    parameters: row.parameters,
    held: row.price,
    priceNo: row.price_no,
    charged: row.charged ?? 0,
    producedSeconds: [resultSeconds],
    isImproved: improvement?.outcome === 'improved',
  }
}
