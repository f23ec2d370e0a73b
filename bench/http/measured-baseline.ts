// The baseline for all comparisons: two plain Fastify routes, which respond with a constant object
// of the size of a task. They have no authentication and no database.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { keepNextTickFast } from '../../packages/server/src/lib/keep-next-tick-fast.ts'
import { serveCalls } from './serve-calls.ts'
import { createMeasuringCalls } from './process-figures.ts'
import { tasksPath } from './requests.ts'

const link = `http://127.0.0.1:8787/api/media/task_019a0000000070008000000000000000.mp4?expires=1700086400&signature=${'x'.repeat(43)}`
const queued = {
  id: 'task_019a0000000070008000000000000000',
  object: 'video',
  created: 1_700_000_000,
  model: 'vidDq3-turbo',
  status: 'queued',
  progress: 0,
  amount: 0.8,
  actualDuration: null,
  error: null,
}
const completed = {
  ...queued,
  status: 'completed',
  progress: 100,
  result_url: link,
  video_url: link,
  expires_at: 1_700_086_400,
  actualDuration: 8,
  seed: 1,
  started: 1_700_000_000,
  completed: 1_700_000_009,
}

// The service calls this function too. Without it, the baseline would get slower after a minute.
await keepNextTickFast()
const app = Fastify()
app.post<{ Body: { model?: unknown } }>(tasksPath, { schema: { response: { 202: schemaOf(queued) } } }, (request, reply) => {
  if (typeof request.body.model !== 'string') throw new Error('model must be a string')
  reply.code(202).send(queued)
})
app.get(`${tasksPath}/:id`, { schema: { response: { 200: schemaOf(completed) } } }, (_request, reply) => {
  reply.send(completed)
})

await app.listen({ host: '127.0.0.1', port: 0 })
serveCalls((app.server.address() as AddressInfo).port, createMeasuringCalls(), () => app.close())

function schemaOf(example: Record<string, string | number | null>): object {
  const properties = Object.entries(example).map(([name, value]) => [
    name,
    { type: value === null ? ['string', 'null'] : typeof value === 'number' ? 'number' : 'string' },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) as object }
}
