import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'
import { isRunning, waitForChildren } from './child-processes.ts'

const bench = fileURLToPath(new URL('serving.ts', import.meta.url))
const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')
/** Measuring rates takes most of the time. */
const parts = isLongRun ? 'rates,held' : 'held'
// Plain sockets, because not every machine has wrk.
const quickOptions = ['--quick', '--json', '--sockets', '--patience', '0', '--only']

interface Report {
  rates: (Record<string, unknown> & { ours: object; baseline: object })[]
  facts: object[]
}

/** Returns the names in the first column of the table below this heading on the page. */
function documentedFields(heading: string): string[] {
  const [, section = ''] = page.split(`\n${heading}\n`)
  const table =
    section
      .trimStart()
      .split('\n\n')
      .find((block) => block.startsWith('|')) ?? ''
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => String(name))
}

it('the report of the serving benchmark has the fields that docs/performance.md documents', { timeout: 180_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, ...quickOptions, parts])
  const { rates, facts, ...run } = JSON.parse(stdout) as Report
  expect(Object.keys(run)).toEqual(documentedFields('#### The run'))
  if (isLongRun) expect(rates.map(({ what }) => what)).toEqual(documentedFields('### Submits and polls'))
  for (const rate of rates) {
    expect(Object.keys(rate)).toEqual(documentedFields('#### A rate'))
    for (const side of [rate.ours, rate.baseline]) {
      expect(Object.keys(side)).toEqual(documentedFields('#### A side'))
      expect(Object.values(side).every((figure) => Number.isFinite(figure))).toBe(true)
    }
  }
  expect(facts).not.toHaveLength(0)
  const fact = { what: expect.any(String) as string, unit: expect.any(String) as string, figure: expect.any(Number) as number }
  for (const factFound of facts) expect(factFound).toMatchObject(fact)
})

it.skipIf(process.platform !== 'linux')('a killed serving benchmark leaves no child process running', async () => {
  const killed = spawn(process.execPath, [bench, ...quickOptions, 'held'], { stdio: 'ignore' })
  const children = await waitForChildren(killed.pid ?? 0, 2)
  killed.kill('SIGKILL')
  await expect.poll(() => children.filter(isRunning), { timeout: 20_000 }).toEqual([])
})
