import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { statFields } from '../http/process-tree.ts'

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10
/** Index of the field with the id of the parent process. */
const parentField = 1
/** Index of the field with the user time. The next field has the system time. */
const userTimeField = 11
/** Index of the field with the user time of ended children. The next field has the system time. */
const endedChildrenField = 13
/** Time after which an idle session has reported its statistics. */
const statisticsMs = 11_000

/**
 * Returns the CPU time in milliseconds that all processes of the server have used, including
 * parallel workers, the WAL writer and the checkpointer.
 */
export async function postgresCpuMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  const server = statFields(rows[0]?.pid ?? 0)[parentField]
  return rows.reduce((sum, { pid }) => sum + cpuMsOf(pid, userTimeField), 0) + cpuMsOf(Number(server), endedChildrenField)
}

function cpuMsOf(pid: number, field: number): number {
  const fields = statFields(pid)
  return (Number(fields[field] ?? 0) + Number(fields[field + 1] ?? 0)) * msPerTick
}

/**
 * Waits until idle sessions have reported their statistics. Returns the number of sequential scans
 * of each table and of uses of each of its indexes, by all sessions.
 */
export async function readScanCounts(client: pg.Client, tables: readonly string[]): Promise<Map<string, number>> {
  await sleep(statisticsMs)
  const { rows } = await client.query<{ name: string; scans: string }>(
    `select relname as name, seq_scan as scans from pg_stat_user_tables where relname = any ($1)
     union all select indexrelname, idx_scan from pg_stat_user_indexes where relname = any ($1)`,
    [tables],
  )
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]))
}
