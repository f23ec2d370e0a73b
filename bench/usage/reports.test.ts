import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findPostgresPrograms } from '../../packages/server/test/postgres/postgres-server.ts'

const bench = fileURLToPath(new URL('reports.ts', import.meta.url))

it.skipIf(findPostgresPrograms() === undefined)(
  'the benchmark of usage reports gets the same numbers of items from SQLite and PostgreSQL for the same rows',
  { timeout: 240_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      bench,
      '--accounts',
      '3',
      '--days',
      '31',
      '--rounds',
      '1',
      '--json',
    ])
    const { engines } = JSON.parse(stdout) as {
      engines: { tasks: number; rows: number; reports: { by: string; items: number }[] }[]
    }
    const [sqlite, postgres] = engines.map(({ tasks, rows, reports }) => ({
      tasks,
      rows,
      items: reports.map(({ by, items }) => [by, items]),
    }))
    expect(sqlite?.items).toHaveLength(6)
    expect(sqlite).toEqual(postgres)
    // All combinations of 6 keys, 12 models and 31 days, except one in 31.
    expect(sqlite?.rows).toBe((6 * 12 * 31 * 30) / 31)
  },
)
