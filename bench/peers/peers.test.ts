import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { isRunning, waitForChildren } from '../http/child-processes.ts'
import { countNames } from './rows/row.ts'
import type { Report } from './report.ts'

const bench = fileURLToPath(new URL('peers.ts', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'peers-test-'))
const env = { ...process.env, TMPDIR: folder }
const quickOptions = ['--rounds', '1', '--tasks', '200', '--seconds', '2', '--json']
const tasksKilled = 200

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(process.platform !== 'linux')(
  'the comparison with an upstream measures each side, and Framegate loses and doubles no task over a kill',
  { timeout: 180_000 },
  async () => {
    const options = [...quickOptions, '--sides', 'proxy,sqlite,bullmq', '--rows', 'submits,images,kill']
    const { stdout } = await promisify(execFile)(process.execPath, [bench, ...options], { env })
    const { sides } = JSON.parse(stdout) as Report
    const [proxy, framegate] = sides
    expect([proxy?.side, framegate?.side]).toEqual(['proxy without a task', 'Framegate on SQLite'])
    for (const { figures } of sides) {
      for (const [name, figure] of Object.entries(figures)) {
        if (!countNames.has(name) && figure !== null) expect(figure, name).toBeGreaterThan(0)
      }
    }
    expect(framegate?.figures).toMatchObject({ killedTasks: tasksKilled, lost: 0, doubled: 0 })
    expect(framegate?.figures['givenUp'], 'only tasks whose submit was on its way are given up').toBeLessThan(tasksKilled)
    expect(readdirSync(folder)).toEqual([])
  },
)

it.skipIf(process.platform !== 'linux')(
  'Ctrl-C ends the processes of the comparison with an upstream, and removes its folder',
  { timeout: 60_000 },
  async () => {
    const options = [...quickOptions, '--sides', 'proxy', '--rows', 'steady']
    const stopped = spawn(process.execPath, [bench, ...options, '--seconds', '60'], { env, stdio: 'ignore' })
    const children = await waitForChildren(stopped.pid ?? 0, 3)
    const exitCode = new Promise((resolve) => stopped.once('exit', resolve))
    stopped.kill('SIGINT')
    expect(await exitCode).toBe(130)
    await expect.poll(() => children.filter(isRunning)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  },
)
