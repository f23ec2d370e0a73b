import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/**
 * Runs a program with a `logger` whose lines go to a file. Returns its output and its exit code.
 */
async function runWithLog(file: string, program: string): Promise<{ output: string; exitCode: number | null }> {
  const logger = new URL('logger.ts', import.meta.url).href
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { createLogger } from ${JSON.stringify(logger)}
    const logger = createLogger('info')
    ${program}`
  const fd = openSync(file, 'a')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', fd],
    timeout: 10_000,
  })
  closeSync(fd)
  const exited = once(child, 'close')
  const output = await text(child.stdout!)
  const [exitCode] = (await exited) as [number | null]
  return { output, exitCode }
}

describe.skipIf(!existsSync('/dev/full'))('the log on a full disk', () => {
  it('a program whose log is on a full disk continues, and ends after a fatal line', async () => {
    const program = `
      for (let n = 0; n < 3; n++) {
        logger.info('a line')
        await sleep(50)
      }
      logger.info('a line')
      logger.fatal('the last line')
      process.stdout.write('continued')`
    expect(await runWithLog('/dev/full', program)).toEqual({ output: 'continued', exitCode: 0 })
  })
})

it('all log lines are written, also those that wait when the process ends', async () => {
  const file = path.join(folder, 'log')
  const program = `
    for (let n = 0; n < 2_000; n++) {
      logger.info({ n }, 'x'.repeat(100))
      if (n % 500 === 0) await sleep(5)
    }
    logger.fatal({ n: 2_000 }, 'the last line')
    process.exit(3)`
  expect(await runWithLog(file, program)).toEqual({ output: '', exitCode: 3 })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 2_001 }, (_, n) => n),
  )
})

it('a process that ends while the reader of its log is slow leaves no incomplete line', async () => {
  const logger = new URL('logger.ts', import.meta.url).href
  const script = `
    import { createLogger } from ${JSON.stringify(logger)}
    const logger = createLogger('info')
    for (let n = 0; n < 10_000; n++) logger.info({ n }, 'x'.repeat(100))
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.pause()
  await once(child, 'exit')
  const log = await text(child.stderr)
  const lines = log.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(10)
  expect(log.endsWith('\n')).toBe(true)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('n')
})
