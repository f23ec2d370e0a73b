import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'
import { findPostgresPrograms } from '../../packages/server/test/postgres/postgres-server.ts'
import { s3Suite, s3ServerUnavailable } from '../../packages/server/test/s3-server.ts'

const bench = fileURLToPath(new URL('scale.ts', import.meta.url))
const quickOptions = ['--tasks', '2000', '--rounds', '1', '--seconds', '0.2', '--sockets', '--no-scans', '--json']

it.skipIf(!isLongRun || findPostgresPrograms() === undefined || s3ServerUnavailable !== null)(
  s3Suite('the scale benchmark fills a table with tasks, finds no difference in the ledger, and measures the table'),
  { timeout: 240_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [bench, ...quickOptions, '--only', 'table', '--past'])
    const { table } = JSON.parse(stdout) as { table: { rows: object[]; months: { tasks: number }[] } }
    expect(table).toMatchObject({ tasks: 2000, differences: 0 })
    expect(table.rows).toHaveLength(5)
    expect(table.months.reduce((sum, { tasks }) => sum + tasks, 0)).toBeGreaterThan(1_500)
    const figure = expect.any(Number) as number
    for (const row of table.rows) expect(row).toMatchObject({ emptyP99Ms: figure, fullP99Ms: figure, ratioToEmpty: figure })
  },
)
