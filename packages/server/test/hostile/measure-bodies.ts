/**
 * Prints the cost of each hostile body to a started server:
 * `node packages/server/test/hostile/measure-bodies.ts [PATH] [NAME]`. A tick is the longest
 * uninterrupted CPU time of the main thread. CPU ms is the main thread's total for the body.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '../started-server.ts'
import { newClientKey } from './new-client-key.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { HealthzWatch, LongestTick, mainThreadMs, peakBytes, sendHostile } from './send-hostile.ts'

const [requestPath = '/v2/model-center/tasks', namePart = ''] = process.argv.slice(2)
const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-bodies-'))
const tick = new LongestTick(dataDir)
const server = await startServer(path.join(dataDir, 'data'), tick.environment)
const pid = server.process.pid ?? 0
const { baseUrl } = server
const key = await newClientKey(server)
{
  await using watch = new HealthzWatch(new URL(baseUrl).origin)
  process.stdout.write('  gap ms  tick ms  CPU ms  peak MiB  status  body\n')
  for (const body of hostileBodies.filter(({ name }) => name.includes(namePart))) {
    await sendHostile({ baseUrl, path: requestPath, key }, { name: 'first', make: () => Buffer.from('{}') })
    await watch.takeLongestMs()
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    await tick.take(pid)
    const beforeMs = mainThreadMs(pid)
    const [status, text] = await sendHostile({ baseUrl, path: requestPath, key }, body)
    const usedMs = mainThreadMs(pid) - beforeMs
    const tickMs = await tick.take(pid)
    const gapMs = await watch.takeLongestMs()
    const columns = [gapMs, tickMs, usedMs, peakBytes(pid) / 2 ** 20].map((value) => Math.round(value).toString().padStart(8))
    process.stdout.write(`${columns.join('')}  ${String(status).padStart(8)}  ${body.name}: ${text.slice(10, 150)}\n`)
  }
}
await server.kill()
rmSync(dataDir, { recursive: true, force: true })
