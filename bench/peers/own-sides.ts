import { existsSync } from 'node:fs'
import { tasksPath } from '../http/requests.ts'
import { findRedisProblem, startRedisServer } from '../baseline/redis-server.ts'
import {
  createDatabase,
  findPostgresPrograms,
  startPostgresServer,
  type PostgresServer,
} from '../../packages/server/test/postgres/postgres-server.ts'
import { startMeasuredGateway } from './measured-gateway.ts'
import type { FramegateOptions } from './measured-framegate.ts'
import type { Rig } from './rig.ts'
import type { InstallPlan, Installation, Side } from './side.ts'

type Requests = Pick<Side, 'video' | 'image' | 'pollPath'>

/** Requests of OpenAI's API. */
export const openaiRequests: Requests = {
  video: { path: '/v1/videos', fields: { model: 'm', seconds: '5', size: '1280x720' } },
  image: { path: '/v1/images/generations', fields: { model: 'i' } },
  pollPath: (id) => `/v1/videos/${id}`,
}

const taskRequests: Requests = {
  video: { path: tasksPath, fields: { model: 'vidDq3-turbo', aspect_ratio: '16:9', seconds: 5 } },
  image: { path: tasksPath, fields: { model: 'imgA-5.0', aspect_ratio: '1:1' } },
  pollPath: (id) => `${tasksPath}/${id}`,
}

/**
 * Returns the sides that are part of this repository. Prints the reason if a side cannot be
 * measured on this machine.
 */
export function findOwnSides(rig: Rig): Side[] {
  return [proxy, framegateSide('Framegate on SQLite', async () => ({ settings: {} })), ...postgresSides(rig), ...bullmqSides()]
}

const proxy: Side = {
  name: 'proxy without a task',
  meaningOfResponse: 'the upstream has accepted the job; the gateway stores nothing',
  ...openaiRequests,
  install: async ({ upstreamPort }) => ({
    start: () => startMeasuredGateway('../peers/measured-proxy.ts', { upstreamPort }, false),
  }),
}

interface Database {
  settings: Record<string, string>
  pid?: number | undefined
}

function framegateSide(name: string, createDatabase: () => Promise<Database>): Side {
  async function install({ rig, upstreamPort, jobsEnd }: InstallPlan): Promise<Installation> {
    const folder = rig.newFolder()
    const database = await createDatabase()
    const pollsPerSecond = jobsEnd ? 10_000 : 100
    let key: string | undefined
    return {
      async start() {
        const options: FramegateOptions = {
          upstreamPort,
          folder,
          // After a kill, the service logs each submit without a known outcome.
          settings: { ...database.settings, ...(jobsEnd && { LOG_LEVEL: 'silent' }) },
          pollsPerSecond,
          ...(key !== undefined && { key }),
        }
        const gateway = await startMeasuredGateway('../peers/measured-framegate.ts', options, true)
        key = gateway.key
        return { ...gateway, databasePid: database.pid }
      },
    }
  }
  return { name, meaningOfResponse: 'the task is on disk and its price is held', ...taskRequests, install }
}

function postgresSides(rig: Rig): Side[] {
  const programs = findPostgresPrograms()
  if (programs === undefined) {
    console.error('not measured: Framegate on PostgreSQL (Debian: apt-get install postgresql)')
    return []
  }
  let server: Promise<PostgresServer> | undefined
  async function start(): Promise<PostgresServer> {
    const postgresServer = await startPostgresServer(programs ?? '')
    rig.defer(() => postgresServer.remove())
    return postgresServer
  }
  let databaseCount = 0
  async function newDatabase(): Promise<Database> {
    const { url, pid } = await (server ??= start())
    return { settings: { DATABASE_URL: await createDatabase(url, `peers_${(databaseCount += 1)}`) }, pid }
  }
  return [framegateSide('Framegate on PostgreSQL', newDatabase)]
}

function bullmqSides(): Side[] {
  const problem = findRedisProblem()
  if (problem !== null) console.error(`not measured: Fastify + BullMQ, ${problem}`)
  else if (!existsSync(new URL('../baseline/node_modules/', import.meta.url)))
    console.error('not measured: Fastify + BullMQ (npm ci --prefix bench/baseline)')
  else {
    const side = (name: string, results: string): Side => ({
      name,
      meaningOfResponse: 'the task is on disk (Redis, appendfsync always)',
      ...taskRequests,
      install: (plan) => installBullmq(plan, results),
    })
    return [
      side('Fastify + BullMQ', 'written'),
      { ...side('Fastify + BullMQ, results decoded and synced', 'checked'), rows: ['images'] },
    ]
  }
  return []
}

async function installBullmq({ rig, trial, upstreamPort, jobsEnd }: InstallPlan, results: string): Promise<Installation> {
  const redis = trial.use(await startRedisServer('always'))
  const pollMs = jobsEnd ? 1_000 : 60_000
  const fixedOptions = { redisPort: redis.port, driver: 'upstream', upstreamPort, inFlightMax: 256 }
  const options = { ...fixedOptions, results, pollMs, folder: rig.newFolder(), queueName: 'tasks', key: 'fg_live_bench' }
  return {
    async start() {
      const gateway = await startMeasuredGateway('../baseline/measured-bullmq.js', options, true)
      return { ...gateway, databasePid: redis.pid }
    },
  }
}
