import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'

const bench = fileURLToPath(new URL('threads.ts', import.meta.url))

it.skipIf(!isLongRun || process.platform !== 'linux')(
  'the benchmark of the threads of a task measures the threads of the service, and the prober of images',
  { timeout: 120_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [bench, '--tasks', '400', '--json'])
    const { microsPerTask } = JSON.parse(stdout) as { microsPerTask: Record<string, Record<string, number>> }
    expect(Object.keys(microsPerTask)).toEqual(['video', 'image'])
    for (const [kind, threads] of [
      ['video', ['MainThread', 'writer']],
      ['image', ['MainThread', 'writer', 'prober-child']],
    ] as const) {
      const measured = Object.keys(microsPerTask[kind] ?? {}).join()
      for (const thread of threads) expect(measured).toContain(thread)
      expect(microsPerTask[kind]?.['all']).toBeGreaterThan(0)
    }
  },
)

it.each([
  ['--tasks', 'many', '--tasks is a whole number from 1 to 100000, not "many"'],
  ['--per-second', '0', '--per-second is a whole number from 1 to 100000, not "0"'],
])('the benchmark of the threads of a task rejects %s %s', async (option, value, message) => {
  await expect(promisify(execFile)(process.execPath, [bench, option, value])).rejects.toThrow(message)
})
