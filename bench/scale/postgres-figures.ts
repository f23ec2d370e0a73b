import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10
/** Time until an idle session has reported its statistics. */
const statisticsMs = 11_000

/** CPU time of all processes of the server so far: sessions, log writer, checkpointer. */
export async function postgresCpuMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
}

function cpuMsOf(pid: number): number {
  try {
    // The name in parentheses may contain spaces. User and system time are the 12th and 13th field
    // after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return 0
  }
}

/**
 * Number of sequential scans of each table and of uses of each of their indexes, by all sessions.
 */
export async function scansOf(client: pg.Client, tables: readonly string[]): Promise<Map<string, number>> {
  await sleep(statisticsMs)
  const { rows } = await client.query<{ name: string; scans: string }>(
    `select relname as name, seq_scan as scans from pg_stat_user_tables where relname = any ($1)
     union all select indexrelname, idx_scan from pg_stat_user_indexes where relname = any ($1)`,
    [tables],
  )
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]))
}
