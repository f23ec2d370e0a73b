// A typical small service. Fastify accepts tasks, BullMQ stores them in Redis, and a worker in the
// same process runs them with the driver. The service checks keys and validates bodies. It has no
// credits and no retries at another upstream.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedError, Job, Queue, Worker } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import sharp from 'sharp'
import { keepNextTickFast } from '../../packages/server/src/lib/keep-next-tick-fast.ts'
import { serveCalls } from '../http/serve-calls.ts'
import { createBenchDriver } from '../http/bench-drivers.ts'
import { createUpstreamDriver } from '../peers/upstream-driver.js'
import { memoryAfterCollectionMb, createMeasuringCalls } from '../http/process-figures.ts'
import { tasksPath } from '../http/requests.ts'

/**
 * Options of the process. `results` determines the handling of a result: `written`, `synced`
 * (written and synced to disk), or `checked` (as in Framegate: synced with its folder, and images
 * are decoded). To continue after a crash, a process needs the `queueName`, `folder` and `key` of
 * its predecessor.
 */
const {
  redisPort,
  inFlightMax,
  driver: kind,
  upstreamPort,
  results = 'synced',
  pollMs = 10_000,
  ...inherited
} = JSON.parse(process.argv[2] ?? '{}')
const folder = inherited.folder ?? mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const key = inherited.key ?? `fg_live_${randomUUID()}`
const keys = new Map([[key, { scopes: ['tasks:write', 'tasks:read'] }]])
const driver = kind === 'upstream' ? createUpstreamDriver(upstreamPort) : await createBenchDriver(kind)
const connect = () => new Redis(redisPort, '127.0.0.1', { maxRetriesPerRequest: null })
/** With the default name, the tasks of an earlier process stay in Redis and are not continued. */
const queueName = inherited.queueName ?? `tasks-${process.pid}`
const queue = new Queue(queueName, { connection: connect(), defaultJobOptions: { attempts: 1 } })
let endedCount = 0
let completedCount = 0
const worker = inFlightMax > 0 ? startWorker(inFlightMax) : null

await keepNextTickFast()
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
  started.on('completed', (_job, result) => {
    endedCount += 1
    if (result.result_url !== undefined) completedCount += 1
  })
  started.on('failed', () => (endedCount += 1))
  return started
}

/** Starts or polls the upstream's job of a task, and writes the result of an ended one. */
async function run(job) {
  const attempt = { id: job.id, prompt: job.data.prompt, model: job.data.model }
  const isStarted = job.data.operation !== undefined
  const operation = job.data.operation ?? (await driver.start(attempt))
  // The id of the upstream's job is stored immediately. Its first poll comes later.
  if (!isStarted && operation.id !== undefined) {
    await job.updateData({ ...job.data, operation })
    return delay(job)
  }
  const outcome = await driver.poll(attempt, operation)
  if (outcome.state === 'running') return delay(job)
  if (outcome.state !== 'succeeded') return { refused: true }
  const isVideo = job.data.model.startsWith('vid')
  const name = `${job.id}.${isVideo ? 'mp4' : 'png'}`
  const sha256 = await writeResult(name, await driver.fetchOutput(attempt, operation), !isVideo)
  return { sha256, result_url: `/media/${name}` }
}

async function delay(job) {
  await job.moveToDelayed(Date.now() + pollMs, job.token)
  throw new DelayedError()
}

async function writeResult(name, stream, isImage) {
  const hash = createHash('sha256')
  const file = path.join(folder, name)
  const handle = await open(`${file}.part`, 'w')
  for await (const chunk of stream) {
    hash.update(chunk)
    await handle.write(chunk)
  }
  if (results !== 'written') await handle.sync()
  await handle.close()
  if (results === 'checked' && isImage) await sharp(`${file}.part`).raw().toBuffer()
  await rename(`${file}.part`, file)
  if (results === 'checked') await syncFolder()
  return hash.digest('hex')
}

async function syncFolder() {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
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
  ...createMeasuringCalls(),
  keys: () => [key],
  ended: () => endedCount,
  completed: () => completedCount,
  memoryMb: memoryAfterCollectionMb,
  cancelAll: async () => {
    await queue.drain()
    return null
  },
  /** Runs tasks, and returns the ids of those that ended last, for polls. */
  endedTasks: async (count) => {
    const temporaryWorker = startWorker(count)
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'task', data: { model: 'imgA-5.0', prompt: 'a kite' } })))
    let completedJobs = []
    for (; completedJobs.length < count; await sleep(20)) completedJobs = await queue.getCompleted(0, count - 1)
    await temporaryWorker.close()
    return completedJobs.map((job) => job.id)
  },
}
serveCalls(app.server.address().port, calls, async () => {
  await app.close()
  await worker?.close(true)
  await queue.close()
  if (inherited.folder === undefined) rmSync(folder, { recursive: true, force: true })
})
