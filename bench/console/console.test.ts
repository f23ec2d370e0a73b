import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'

const bench = fileURLToPath(new URL('console.ts', import.meta.url))

it.skipIf(!isLongRun || !existsSync('/usr/bin/chromium'))(
  'the benchmark of the console loads pages in Chromium and scrolls through the generated tasks',
  { timeout: 120_000 },
  async () => {
    const options = ['--only', 'models,tasks', '--tasks', '200', '--loads', '1', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, [bench, ...options])
    const { facts } = JSON.parse(stdout) as { facts: { what: string; figure: number }[] }
    const figures = new Map(facts.map(({ what, figure }) => [what, figure]))
    expect(figures.get('models, first load until it can be used')).toBeGreaterThan(0)
    expect(figures.get('scripts and styles of the first load, compressed, kB')).toBeGreaterThan(10)
    expect(figures.get('tasks, items loaded while scrolling')).toBeGreaterThanOrEqual(200)
  },
)
