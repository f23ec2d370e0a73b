import { sql } from 'kysely'
import type { Store } from '../db/store.ts'
import { createdAtMsOfNo, firstTaskNoAt } from '../identity/task-id.ts'

/** Maximum age of tasks in the sample. */
const periodMs = 24 * 60 * 60 * 1000
/** Maximum number of tasks in the sample, so that its cost does not grow with traffic. */
const tasksMax = 20_000

export interface ModelTimes {
  completed: number
  p50Seconds: number
  p95Seconds: number
}

export interface TimesByModel {
  /** Start of the sample, which has only tasks that were accepted at this time or later. */
  fromMs: number
  models: Map<string, ModelTimes>
}

/** Reads the times from acceptance to completion, from a sample of the newest tasks. */
export async function readTimesByModel(store: Pick<Store, 'database' | 'readMany'>, nowMs: number): Promise<TimesByModel> {
  const periodStartNo = firstTaskNoAt(nowMs - periodMs)
  const oldest = sql`select no from tasks where no >= ${periodStartNo} order by no desc limit 1 offset ${tasksMax - 1}`
  const [oldestRow] = await store.readMany(oldest.compile(store.database))
  const fromNo = oldestRow === undefined ? periodStartNo : Number(oldestRow['no'])
  const completedTasks = sql`
    select no, model, ended_at
    from (select no, model, status, ended_at from tasks where no >= ${fromNo} order by no desc limit ${tasksMax}) sample
    where status = 'completed'`
  const times = new Map<string, number[]>()
  for (const row of await store.readMany(completedTasks.compile(store.database))) {
    const { no, model, ended_at } = row as { no: number; model: string; ended_at: number }
    const modelTimes = times.get(model) ?? []
    modelTimes.push(Math.max(0, ended_at - createdAtMsOfNo(no)))
    times.set(model, modelTimes)
  }
  return { fromMs: createdAtMsOfNo(fromNo), models: new Map([...times].map(([model, values]) => [model, timesOf(values)])) }
}

function timesOf(milliseconds: readonly number[]): ModelTimes {
  const sortedMs = milliseconds.toSorted((a, b) => a - b)
  return {
    completed: sortedMs.length,
    p50Seconds: percentileSeconds(sortedMs, 0.5),
    p95Seconds: percentileSeconds(sortedMs, 0.95),
  }
}

/** The nearest-rank percentile, in seconds. */
function percentileSeconds(sortedMs: readonly number[], share: number): number {
  return (sortedMs[Math.ceil(share * sortedMs.length) - 1] ?? 0) / 1000
}
