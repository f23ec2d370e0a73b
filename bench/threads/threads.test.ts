import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'
import type { CaseFigures } from './model.ts'

const bench = fileURLToPath(new URL('threads.ts', import.meta.url))

it.runIf(isLongRun)('the benchmark of threads measures polls with one and with two threads', { timeout: 120_000 }, async () => {
  const options = ['--threads', '1,2', '--rounds', '1', '--seconds', '1', '--connections', '4', '--only', 'ended', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [bench, ...options])
  const { cases } = JSON.parse(stdout) as { cases: CaseFigures[] }
  expect(cases.map(({ what }) => what)).toEqual(['poll of an ended task'])
  const [oneThread, twoThreads] = cases[0]?.byThreads ?? []
  expect([oneThread, twoThreads]).toMatchObject([
    { threads: 1, httpMicros: 0 },
    { threads: 2, httpMicros: expect.any(Number) },
  ])
  for (const figures of [oneThread, twoThreads]) expect(figures?.perSecond).toBeGreaterThan(0)
  // The second thread responds to a part of the polls.
  expect(twoThreads?.httpMicros).toBeGreaterThan(0)
})
