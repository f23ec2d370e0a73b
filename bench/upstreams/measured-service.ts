// The regular service with one route to a simulated upstream. It records the time at which each
// task is completed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadConfig, startServer } from '../../packages/server/src/index.ts'
import { serveCalls } from '../http/serve-calls.ts'
import { memoryAfterCollectionMb, createMeasuringCalls } from '../http/process-figures.ts'

const { upstreamUrl } = JSON.parse(process.argv[2] ?? '{}') as { upstreamUrl: string }
const model = 'vidK O3 Video Generation'
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const routing = {
  upstreams: { main: { driver: 'openai', base_url: upstreamUrl, api_key: 'k', in_flight_max: 20_000, polls_per_second: 1000 } },
  routes: [{ model, upstream: 'main', upstream_model: 'm' }],
}
writeFileSync(path.join(folder, 'framegate.yaml'), JSON.stringify(routing))
const env = { ...process.env, FRAMEGATE_DATA_DIR: folder, FRAMEGATE_PORT: '0', FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' }
const server = await startServer(loadConfig({ env, cwd: folder }))
const { store } = server
const nextId = store.createTaskIds(Date.now)
const account = await store.database.selectFrom('accounts').select('no').executeTakeFirstOrThrow()
/**
 * Completion time of each task in Unix milliseconds, by the prompt, which is unique to the task.
 */
const completedAtMs: Record<string, number> = {}
store.onTaskChanged(({ status, parameters }) => {
  if (status === 'completed') completedAtMs[(JSON.parse(parameters) as { prompt: string }).prompt] = Date.now()
})

async function accept(prompt: string): Promise<void> {
  const parameters = JSON.stringify({ prompt, seconds: 5, aspect_ratio: '16:9', resolution: '720p' })
  const outcome = await store.accept({
    id: nextId(),
    accountNo: account.no,
    keyNo: null,
    model,
    object: 'video',
    parameters,
    images: null,
    priceMicroCredits: 1,
    priceNo: null,
    modelVersionNo: null,
    delayMs: 0,
    lane: 0,
    idempotency: null,
  })
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
}

const calls = {
  ...createMeasuringCalls(),
  submit: (prompts: string[]) => Promise.all(prompts.map(accept)).then(() => null),
  noticed: () => completedAtMs,
  memoryMb: memoryAfterCollectionMb,
}
serveCalls(Number(new URL(server.baseUrl).port), calls, async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
