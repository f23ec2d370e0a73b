import { existsSync } from 'node:fs'
import { MeasuredProcess } from '../http/measured-process.ts'
import { getOf, postOf, tasksPath, type RequestText } from '../http/requests.ts'
import { redisUnavailable, startRedisServer } from '../baseline/redis-server.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer } from '../../packages/server/test/postgres/postgres-server.ts'

/** A gateway to measure, and the requests to send to it. */
export interface Side {
  name: string
  /** Meaning of a successful response to a submit. */
  acknowledges: string
  start(upstreamPort: number): Promise<MeasuredProcess>
  submits(key: string): RequestText[]
  poll(key: string, id: string): RequestText
}

const bodyCount = 500
/**
 * Placeholder that the load generator replaces with the number of the request, padded to the same
 * length.
 */
const numberPlaceholder = '{number}'

/** Returns the gateways that can be measured on this machine, and prints why the others cannot. */
export async function findSides(opened: AsyncDisposableStack): Promise<Side[]> {
  const sides: Side[] = [
    {
      name: 'proxy without a task',
      acknowledges: 'the upstream has accepted the job; nothing is stored',
      start: (upstreamPort) => MeasuredProcess.start('../peers/measured-proxy.ts', { upstreamPort }),
      submits: (key) => requestsTo('/v1/videos', key, { model: 'm', seconds: '5', size: '1280x720' }),
      poll: (key, id) => getOf(`/v1/videos/${id}`, key),
    },
    framegate('Framegate on SQLite', async () => ({})),
  ]
  const programs = findPostgresPrograms()
  if (programs === undefined) console.error('not measured: Framegate on PostgreSQL (Debian: apt-get install postgresql)')
  else {
    const postgres = await startPostgresServer(programs)
    opened.defer(() => postgres.remove())
    let databases = 0
    sides.push(
      framegate('Framegate on PostgreSQL', async () => ({
        DATABASE_URL: await createDatabase(postgres.url, `peers_${(databases += 1)}`),
      })),
    )
  }
  const redisProblem = redisUnavailable()
  if (redisProblem !== null) console.error(`not measured: Fastify + BullMQ, ${redisProblem}`)
  else if (!existsSync(new URL('../baseline/node_modules/', import.meta.url)))
    console.error('not measured: Fastify + BullMQ (npm ci --prefix bench/baseline)')
  else {
    const redis = opened.use(await startRedisServer('always'))
    sides.push({
      name: 'Fastify + BullMQ',
      acknowledges: 'the task is on disk (Redis, appendfsync always)',
      start: (upstreamPort) =>
        MeasuredProcess.start('../baseline/measured-bullmq.js', {
          redisPort: redis.port,
          driver: 'upstream',
          upstreamPort,
          inFlightMax: 256,
        }),
      submits: (key) => requestsTo(tasksPath, key, { model: 'vidDq3-turbo', aspect_ratio: '16:9', seconds: 5 }),
      poll: (key, id) => getOf(`${tasksPath}/${id}`, key),
    })
  }
  return sides
}

function framegate(name: string, settings: () => Promise<Record<string, string>>): Side {
  return {
    name,
    acknowledges: 'the task is on disk and its price is held',
    start: async (upstreamPort) =>
      MeasuredProcess.start('../peers/measured-framegate.ts', { upstreamPort, settings: await settings() }),
    submits: (key) => requestsTo(tasksPath, key, { model: 'vidDq3-turbo', aspect_ratio: '16:9', seconds: 5 }),
    poll: (key, id) => getOf(`${tasksPath}/${id}`, key),
  }
}

function requestsTo(path: string, key: string, fields: object): RequestText[] {
  return Array.from({ length: bodyCount }, (_, index) => {
    const prompt = `a red kite over the dunes at sunset, take ${numberPlaceholder} of scene ${index}, natural light, 35 mm`
    return postOf(path, key, JSON.stringify({ ...fields, prompt }))
  })
}
