import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { newClientKey } from './new-client-key.ts'
import { HealthzWatch, LongestTick, peakBytes, sendHostile } from './send-hostile.ts'

/**
 * Maximum time without a response during any hostile body, on a machine that also runs other tests.
 * Without the service's limits, the worst body took seven seconds and a gigabyte.
 * `measure-bodies.ts` prints the figures of an idle machine.
 */
const gapMsMax = 1500
/**
 * Limit of the CPU time of one tick of the main thread. A machine that takes longer than
 * `parseMsOfTarget` to parse the largest body gets proportionally more.
 */
const tickMsMax = 100
const parseMsOfTarget = 50
const grownBytesMax = 400 * 1024 * 1024

let dataDir: string
let server: StartedServer
let key: string
let watch: HealthzWatch
let tick: LongestTick
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-bodies-'))
  tick = new LongestTick(dataDir)
  server = await startServer(path.join(dataDir, 'data'), tick.environment)
  key = await newClientKey(server)
  watch = new HealthzWatch(new URL(server.baseUrl).origin)
})
afterAll(async () => {
  await watch[Symbol.asyncDispose]()
  expect(await server.stop()).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})

const largestBody = Buffer.from(JSON.stringify({ image: 'A'.repeat(16 * 1024 * 1024), note: '\\'.repeat(64) }))

/**
 * CPU time that this machine currently needs to parse the largest body. Other work on the machine
 * slows a tick equally.
 */
function medianParseMs(): number {
  const times = Array.from({ length: 3 }, () => {
    const cpuBefore = process.threadCpuUsage()
    JSON.parse(largestBody.toString())
    const { user, system } = process.threadCpuUsage(cpuBefore)
    return (user + system) / 1000
  })
  return times.toSorted((a, b) => a - b)[1] ?? 0
}

const smallBody = { name: 'small', make: () => Buffer.from('{}') }
const submitPath = '/v2/model-center/tasks'
const otherPaths = ['/v2/assets', '/v2/model-center/tasks/task_0197c0d100007000800000000000000a/cancel']

it.each(hostileBodies)('a request body of $name does not block the event loop', async (body) => {
  const { baseUrl } = server
  const bytes = body.make()
  // By default, every second body also goes to one of the other paths, alternately.
  const pathIndex = hostileBodies.indexOf(body) % (2 * otherPaths.length)
  for (const requestPath of [submitPath, ...otherPaths.filter((_, index) => isLongRun || index === pathIndex)]) {
    await sendHostile({ baseUrl, path: requestPath, key }, smallBody)
    await watch.takeLongestMs()
    await tick.take(server.process.pid ?? 0)
    const [status, text] = await sendHostile({ baseUrl, path: requestPath, key }, { ...body, make: () => bytes })
    if (Number.isNaN(status)) expect([body.chunkBytes, text]).toEqual([1, ''])
    else
      expect([status, text]).toEqual([
        expect.toSatisfy((status) => status === 202 || (status >= 400 && status < 500)),
        expect.any(String),
      ])
    expect(await watch.takeLongestMs()).toBeLessThan(gapMsMax)
    const tickMs = await tick.take(server.process.pid ?? 0)
    // Measuring the machine takes longer than the rest of the test, so it is only done if the
    // result depends on it.
    const slowness = tickMs < tickMsMax ? 1 : Math.max(1, medianParseMs() / parseMsOfTarget)
    expect(tickMs).toBeLessThan(tickMsMax * slowness)
  }
})

it.runIf(process.platform === 'linux')('the peak memory of the service after all hostile bodies is below 700 MiB', () => {
  expect(peakBytes(server.process.pid ?? 0)).toBeLessThan(300 * 1024 * 1024 + grownBytesMax)
})
