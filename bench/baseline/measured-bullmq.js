// A typical small service. Fastify accepts tasks, BullMQ stores them in Redis, and workers in the
// same process call the driver once and end the task. The service checks keys and validates bodies.
// It has no credits, attempts or brands.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedError, Job, Queue, Worker } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { keepTicksFast } from '../../packages/server/src/lib/keep-ticks-fast.ts'
import { serveCalls } from '../http/serve-calls.ts'
import { createBenchDriver } from '../http/bench-drivers.ts'
import { createUpstreamDriver } from '../peers/upstream-driver.js'
import { memoryAfterCollectionMb, figureCalls } from '../http/process-figures.ts'
import { tasksPath } from '../http/requests.ts'

const { redisPort, inFlightMax, driver: kind, upstreamPort } = JSON.parse(process.argv[2] ?? '{}')
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const key = `fg_live_${randomUUID()}`
const keys = new Map([[key, { scopes: ['tasks:write', 'tasks:read'] }]])
const driver = kind === 'upstream' ? createUpstreamDriver(upstreamPort) : await createBenchDriver(kind)
const connect = () => new Redis(redisPort, '127.0.0.1', { maxRetriesPerRequest: null })
/** Jobs of an earlier process stay in Redis, and must not be continued. */
const queueName = `tasks-${process.pid}`
const queue = new Queue(queueName, { connection: connect(), defaultJobOptions: { attempts: 1 } })
let ended = 0
const worker = inFlightMax > 0 ? startWorker(inFlightMax) : null

await keepTicksFast()
const app = Fastify()
app.addHook('onRequest', async (request, reply) => {
  const apiKey = request.headers.authorization?.replace(/^Bearer /, '')
  if (apiKey === undefined || !keys.has(apiKey)) await reply.code(401).send({ error: 'unauthorized' })
})
const body = {
  type: 'object',
  required: ['model', 'prompt'],
  properties: {
    model: { type: 'string', enum: ['vidDq3-turbo', 'imgA-5.0'] },
    prompt: { type: 'string', minLength: 1, maxLength: 5000 },
    aspect_ratio: { type: 'string', enum: ['16:9', '9:16', '1:1'] },
    seconds: { type: 'integer', minimum: 1, maximum: 16 },
    seed: { type: 'integer', minimum: 0 },
  },
}
app.post(tasksPath, { schema: { body } }, async (request, reply) => {
  const jobId = request.headers['idempotency-key'] ?? `task_${randomUUID().replaceAll('-', '')}`
  const job = await queue.add('task', request.body, { jobId })
  return reply.code(202).send(viewOf(job, 'waiting'))
})
app.get(`${tasksPath}/:id`, async (request, reply) => {
  const job = await Job.fromId(queue, request.params.id)
  if (job === undefined) return reply.code(404).send({ error: 'not_found' })
  return viewOf(job, await job.getState())
})
await app.listen({ host: '127.0.0.1', port: 0 })

function startWorker(concurrency) {
  const started = new Worker(queueName, (job) => run(job), { connection: connect(), concurrency })
  started.on('completed', () => (ended += 1))
  started.on('failed', () => (ended += 1))
  return started
}

/** Interval between two polls of a job. */
const pollMs = 10_000

/** Calls the driver, and writes the file durably to disk. */
async function run(job) {
  const attempt = { id: job.id, prompt: job.data.prompt }
  if (job.data.operation === undefined) {
    const operation = await driver.start(attempt)
    if (operation.id !== undefined) await job.updateData({ ...job.data, operation })
  }
  const outcome = await driver.poll(attempt, job.data.operation)
  if (outcome.state === 'running') {
    await job.moveToDelayed(Date.now() + pollMs, job.token)
    throw new DelayedError()
  }
  if (outcome.state !== 'succeeded') return { refused: true }
  const hash = createHash('sha256')
  const file = path.join(folder, `${job.id}.png`)
  const handle = await open(`${file}.part`, 'w')
  for await (const chunk of await driver.fetchOutput(attempt, 0)) {
    hash.update(chunk)
    await handle.write(chunk)
  }
  await handle.sync()
  await handle.close()
  await rename(`${file}.part`, file)
  return { sha256: hash.digest('hex'), result_url: `/media/${job.id}.png` }
}

function viewOf(job, state) {
  const status = { waiting: 'queued', delayed: 'queued', active: 'processing', completed: 'completed' }[state] ?? 'failed'
  return {
    id: job.id,
    object: 'video',
    created: Math.floor(job.timestamp / 1000),
    model: job.data.model,
    status,
    progress: status === 'completed' ? 100 : 0,
    result_url: job.returnvalue?.result_url ?? null,
    error: job.failedReason ?? null,
  }
}

const calls = {
  ...figureCalls(),
  keys: () => [key],
  ended: () => ended,
  runningTasks: async (count) => (await queue.getDelayed(0, count - 1)).map((job) => job.id),
  memoryMb: memoryAfterCollectionMb,
  cancelAll: async () => {
    await queue.drain()
    return null
  },
  /** Runs tasks, and returns the ids of those that ended last, for polls. */
  endedTasks: async (count) => {
    const temporaryWorker = startWorker(count)
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'task', data: { model: 'imgA-5.0', prompt: 'a kite' } })))
    let done = []
    for (; done.length < count; await sleep(20)) done = await queue.getCompleted(0, count - 1)
    await temporaryWorker.close()
    return done.map((job) => job.id)
  },
}
serveCalls(app.server.address().port, calls, async () => {
  await app.close()
  await worker?.close(true)
  await queue.close()
  rmSync(folder, { recursive: true, force: true })
})
