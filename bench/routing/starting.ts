import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { machineLine, thisMachine } from '../http/machine.ts'

/**
 * Measures the time from the start of a process until it is ready, after SIGKILL of the previous
 * process: without tasks, and with 5,000 queued tasks whose upstream has one slot. Run it with
 * `npm run bench:starting`.
 */
const tasks = 5_000
const rounds = 5
const submitsAtOnce = 100
const model = 'vidK O3 Video Generation'
const launcher = fileURLToPath(new URL('../../packages/cli/bin/framegate.js', import.meta.url))
/** An upstream that never responds. Its only slot therefore stays occupied. */
const upstream = createServer(() => {}).listen(0, '127.0.0.1')
await once(upstream, 'listening')
const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-starting-'))
const routing = {
  upstreams: { main: { driver: 'openai', base_url: upstreamUrl, api_key: 'k', in_flight_max: 1 } },
  routes: [{ model, upstream: 'main', upstream_model: 'm' }],
}
writeFileSync(path.join(folder, 'framegate.yaml'), JSON.stringify(routing))
const environment = {
  ...process.env,
  FRAMEGATE_CONFIG: path.join(folder, 'framegate.yaml'),
  FRAMEGATE_DATA_DIR: path.join(folder, 'data'),
  FRAMEGATE_PORT: '0',
  FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
  LOG_LEVEL: 'silent',
}

interface ServiceProcess {
  secondsUntilReady: number
  /** Output of the service when it is ready. Only the first start reports `api_key`. */
  ready: { base_url: string; api_key: string }
  kill(): Promise<void>
}

async function start(): Promise<ServiceProcess> {
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [launcher, 'serve', '--json'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    secondsUntilReady: (performance.now() - startedAtMs) / 1000,
    ready: JSON.parse(line) as ServiceProcess['ready'],
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function submitAll(baseUrl: string, apiKey: string): Promise<void> {
  let remaining = tasks
  const client = async (): Promise<void> => {
    while (remaining-- > 0) {
      const response = await fetch(`${baseUrl}/v2/model-center/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'x', seconds: 5 }),
      })
      if (response.status !== 202) throw new Error(`a submit got HTTP ${response.status}: ${await response.text()}`)
      await response.body?.cancel()
    }
  }
  await Promise.all(Array.from({ length: submitsAtOnce }, client))
}

async function measure(): Promise<string> {
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await start()
    await service.kill()
    seconds.push(service.secondsUntilReady)
  }
  return `${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} s`
}

try {
  const firstStart = await start()
  await firstStart.kill()
  process.stdout.write(`${machineLine(thisMachine('this bench alone'))}\nready without tasks: ${await measure()}\n`)
  const service = await start()
  await submitAll(service.ready.base_url, firstStart.ready.api_key)
  await service.kill()
  process.stdout.write(`ready with ${tasks} queued tasks: ${await measure()}\n`)
} finally {
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
}
