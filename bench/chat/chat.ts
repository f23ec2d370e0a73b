// Measures the OpenAI-compatible API: the latency that the service adds to a chat, many streams at
// the same time, and the throughput of video creations relative to submits.
//   npm run bench:chat -- [--seconds 10] [--rate 100] [--streams 1000] [--rounds 8]
// Requests directly to the upstream and requests through the service alternate, so that both are
// measured under the same conditions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { builtLauncher, ensureBuiltProgram } from '../../tools/build/built-program.ts'
import { percentile } from '../http/statistics.ts'
import { measureVideoCreates } from './video-creates.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '100' },
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '8' },
  },
})
const [seconds, rate, streams, rounds] = [values.seconds, values.rate, values.streams, values.rounds].map(Number) as [
  number,
  number,
  number,
  number,
]

/** Number of requests before the measurement, so that V8 has compiled the code that they run. */
const warmUpRequests = 8_000

const apiKey = `fg_live_${'b'.repeat(43)}`
const messages = [{ role: 'user', content: 'What color is the boat? '.repeat(10) }]
const dispatcher = new Agent({ connections: 4_000 })
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-chat-'))

/** Starts a program, and returns it with the first line of its output. */
async function start(file: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, line }
}

await ensureBuiltProgram()
const upstream = await start(fileURLToPath(new URL('chat-server.ts', import.meta.url)), [])
const config = path.join(folder, 'framegate.yaml')
const price = { per_million_tokens: { input: 1, output: 2 } }
writeFileSync(
  config,
  JSON.stringify({
    models: [{ id: 'bench-chat', object: 'chat', max_input_tokens: 8_000, max_output_tokens: 1_000, price }],
    upstreams: { own: { driver: 'openai', base_url: upstream.line, api_key: 'sk-bench', in_flight_max: 4_000 } },
    routes: [{ model: 'bench-chat', upstream: 'own', upstream_model: 'tiny' }],
  }),
)
const service = await start(builtLauncher, ['serve', '--json', '--log-level', 'error'], {
  FRAMEGATE_CONFIG: config,
  FRAMEGATE_DATA_DIR: path.join(folder, 'data'),
  FRAMEGATE_PORT: '0',
  FRAMEGATE_BOOTSTRAP_KEY: apiKey,
})
const { base_url: baseUrl } = JSON.parse(service.line) as { base_url: string }
const targets = { upstream: upstream.line, service: `${baseUrl}/v1` } as const

async function sendChat(target: keyof typeof targets, fields: object = {}): Promise<{ firstMs: number; totalMs: number }> {
  const startedAt = performance.now()
  const { statusCode, body } = await request(`${targets[target]}/chat/completions`, {
    method: 'POST',
    // OpenAI's clients count retries in every request.
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-stainless-retry-count': '0' },
    body: JSON.stringify({ model: 'bench-chat', messages, max_tokens: 20, ...fields }),
    dispatcher,
    headersTimeout: 60_000,
  })
  let firstMs = 0
  let lastChunk = ''
  for await (const chunk of body) {
    if (firstMs === 0) firstMs = performance.now() - startedAt
    lastChunk = String(chunk)
  }
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: ${lastChunk}`)
  return { firstMs, totalMs: performance.now() - startedAt }
}

/** Sends requests at a fixed rate, without waiting for earlier responses. */
async function measureAddedLatency(): Promise<void> {
  const latencies: Record<keyof typeof targets, number[]> = { upstream: [], service: [] }
  for (let n = 0; n < warmUpRequests; n++) await sendChat(n % 2 === 0 ? 'upstream' : 'service')
  const requests: Promise<void>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < 2 * rate * seconds; n++) {
    const dueMs = startedAt + (n * 500) / rate - performance.now()
    if (dueMs > 0) await sleep(dueMs)
    const target = n % 2 === 0 ? 'upstream' : 'service'
    requests.push(sendChat(target).then(({ totalMs }) => void latencies[target].push(totalMs)))
  }
  await Promise.all(requests)
  const rows = [50, 90, 99].map((percent) => {
    const [upstreamMs, serviceMs] = [percentile(latencies.upstream, percent), percentile(latencies.service, percent)]
    return {
      percentile: `p${percent}`,
      upstream: upstreamMs.toFixed(2),
      service: serviceMs.toFixed(2),
      added: (serviceMs - upstreamMs).toFixed(2),
    }
  })
  console.log(`Targets: at most 1 ms more at p50, and at most 5 ms more at p99.`)
  console.log(`Latency in milliseconds, ${rate} req/s through the service and as many to the upstream, ${seconds} s:`)
  console.table(rows)
}

/** Opens many streams within two seconds, each with 40 events in 8 seconds. */
async function measureStreams(): Promise<void> {
  const megabytesBefore = usedMegabytes()
  const startedAt = performance.now()
  let endedCount = 0
  const running = Array.from({ length: streams }, async (_, n) => {
    await sleep((n * 2_000) / streams)
    const { firstMs } = await sendChat('service', { stream: true, max_tokens: 40, interval: 200 })
    endedCount += 1
    return firstMs
  })
  await sleep(6_000)
  const megabytesDuring = usedMegabytes()
  const firstEventMs = await Promise.all(running)
  console.log(
    `${endedCount} of ${streams} streams, all at the same time, ended in ${((performance.now() - startedAt) / 1000).toFixed(1)} s (at least 10.0). ` +
      `First event: p50 ${percentile(firstEventMs, 50).toFixed(0)} ms, p99 ${percentile(firstEventMs, 99).toFixed(0)} ms. ` +
      `Memory of the service: ${megabytesBefore} MB before, ${megabytesDuring} MB during.`,
  )
}

/** Resident memory of the service; 0 if the system does not report it. */
function usedMegabytes(): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}

try {
  await measureAddedLatency()
  await measureStreams()
} finally {
  service.child.kill('SIGTERM')
  upstream.child.kill('SIGTERM')
  await once(service.child, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
for (const { protection, createsPerSecond, submitsPerSecond, ratio } of await measureVideoCreates(rounds)) {
  console.log(
    `Protection against retries ${protection}: video creations ${createsPerSecond.toFixed(0)} req/s, submits ${submitsPerSecond.toFixed(0)} req/s. ` +
      `Ratio ${ratio.toFixed(2)}, with the same protection at least 0.9 (target).`,
  )
}
process.exit()
