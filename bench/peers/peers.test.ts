import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { isLongRun } from '../../packages/server/src/db/store-under-test.ts'
import { isRunning, waitForChildren } from '../http/child-processes.ts'
import { BenchProcess } from '../http/bench-process.ts'
import type { Report, SideReport } from './report.ts'

const bench = fileURLToPath(new URL('peers.ts', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'peers-test-'))
const env = { ...process.env, TMPDIR: folder }
const quickOptions = ['--rounds', '1', '--tasks', '100', '--seconds', '2', '--kills', '1', '--json']
const tasksKilled = 100

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(!isLongRun || process.platform !== 'linux')(
  'the comparison with an upstream measures the proxy, Framegate on SQLite, and BullMQ if it is installed',
  { timeout: 180_000 },
  async () => {
    const [proxy, framegate, ...bullmq] = await compare('proxy,sqlite,bullmq', 'images')
    expect([proxy?.side, framegate?.side]).toEqual(['proxy without a task', 'Framegate on SQLite'])
    const number = expect.any(Number) as number
    for (const { figures } of [proxy, framegate, ...bullmq].filter((side) => side !== undefined)) {
      expect(figures).toMatchObject({ imagesPerSecond: number, imageCpuMs: number })
      expect(figures['imagesPerSecond']).toBeGreaterThan(0)
    }
    // Linux counts CPU time in hundredths of a second. Only Framegate needs that much for a few
    // tasks.
    expect(framegate?.figures['imageCpuMs']).toBeGreaterThan(0)
  },
)

it.skipIf(process.platform !== 'linux')(
  'the comparison with an upstream finds no lost and no doubled task after a kill of Framegate',
  { timeout: 180_000 },
  async () => {
    const [framegate] = await compare('sqlite', 'kill')
    expect(framegate?.figures).toMatchObject({ killedTasks: tasksKilled, lost: 0, doubled: 0 })
    expect(framegate?.figures['givenUp'], 'tasks whose submits were on their way').toBeLessThan(tasksKilled)
  },
)

it.each([
  ['--rows', 'submit', '--rows: there is no row "submit", only submits, polls, steady, in flight, images, kill'],
  ['--rounds', '0', '--rounds is a whole number from 1 to 100000, not "0"'],
  ['--sides', 'none', '--sides: no side that this machine can measure has "none" in its name'],
])('the comparison with an upstream rejects %s %s', async (option, value, message) => {
  await expect(promisify(execFile)(process.execPath, [bench, option, value], { env })).rejects.toThrow(message)
  expect(readdirSync(folder)).toEqual([])
})

it('the upstream of the comparison counts prompts that it receives twice, as JSON or as a form', async () => {
  await using upstream = await BenchProcess.start('../peers/measured-upstream.ts')
  const post = (body: string | FormData) => fetch(`http://127.0.0.1:${upstream.port}/v1/videos`, { method: 'POST', body })
  const form = new FormData()
  form.append('prompt', 'a kite')
  await post(form)
  await post(JSON.stringify({ prompt: 'a cat' }))
  expect(await upstream.call('doubled')).toEqual([])
  await post(JSON.stringify({ prompt: 'a kite' }))
  expect([await upstream.call('doubled'), await upstream.call('submits')]).toEqual([['a kite'], 3])
})

it.skipIf(process.platform !== 'linux')(
  'Ctrl-C ends the processes of the comparison with an upstream, and removes its folder',
  { timeout: 60_000 },
  async () => {
    const options = [...quickOptions, '--sides', 'proxy', '--rows', 'steady']
    const stoppedBench = spawn(process.execPath, [bench, ...options, '--seconds', '60'], { env, stdio: 'ignore' })
    const children = await waitForChildren(stoppedBench.pid ?? 0, 3)
    const exitCode = new Promise((resolve) => stoppedBench.once('exit', resolve))
    stoppedBench.kill('SIGINT')
    expect(await exitCode).toBe(130)
    await expect.poll(() => children.filter(isRunning)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  },
)

/** Runs a short round, and checks that no file is left afterwards. */
async function compare(sides: string, rows: string): Promise<SideReport[]> {
  const options = [...quickOptions, '--sides', sides, '--rows', rows]
  const { stdout } = await promisify(execFile)(process.execPath, [bench, ...options], { env })
  expect(readdirSync(folder)).toEqual([])
  return (JSON.parse(stdout) as Report).sides
}
