import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packetFilm } from '../../packages/server/test/packet-film.ts'
import {
  createDatabase,
  findPostgresPrograms,
  startPostgresServer,
  type PostgresServer,
} from '../../packages/server/test/postgres/postgres-server.ts'
import { startS3Server, whyNoS3Server, type S3Server } from '../../packages/server/test/s3-server.ts'
import { openWay, type CuttableWay } from '../../packages/server/test/cuttable-way.ts'
import { openHostileUpstream, type HostileUpstream } from './hostile-upstream.ts'
import { smallDisk, type ScratchQuota } from './scratch-quota.ts'
import { serviceProcess, type ServiceProcess } from './service-process.ts'
import { keyedProtocol, keylessProtocol } from './upstream-protocols.ts'
import { freePort } from '../../packages/server/test/free-port.ts'

export const chaosModel = 'vidK O3 Video Generation'
const processCount = 4
const accountCount = 4
const startMsMax = 60_000
const databaseName = 'chaos'

/** Everything that runs: engines, upstreams, the ways to them, and the processes in the middle. */
export interface Installation extends AsyncDisposable {
  folder: string
  processes: ServiceProcess[]
  disks: ScratchQuota[]
  postgres: PostgresServer
  /** Past the ways: as whoever looks at the end. */
  databaseUrl: string
  s3: S3Server
  bucket: string
  upstreams: HostileUpstream[]
  ways: Record<'database' | 'bucket' | 'upstreams', CuttableWay[]>
  adminKey: string
  /** One of each account. */
  clientKeys: string[]
}

/** Null where the machine has all that is needed. */
export const whyNoChaos = findPostgresPrograms() === undefined ? 'no PostgreSQL server on this machine' : whyNoS3Server

/** The logs of the processes go to `logFolder`, which stays, or else to where everything is removed from. */
export async function openInstallation(seed: number, logFolder?: string): Promise<Installation> {
  const programs = findPostgresPrograms()
  if (programs === undefined || whyNoChaos !== null) throw new Error(`There can be no chaos here: ${whyNoChaos}.`)
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-chaos-'))
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  if (logFolder !== undefined) mkdirSync(logFolder, { recursive: true })
  async function close(): Promise<void> {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const postgres = await startPostgresServer(programs)
    undo.push(() => postgres.remove())
    const databaseUrl = await createDatabase(postgres.url, databaseName)
    const s3 = await startS3Server()
    undo.push(() => s3[Symbol.asyncDispose]())
    const { bucket } = s3.newBucket()
    const way = async (port: number): Promise<CuttableWay> => {
      const opened = await openWay(port)
      undo.push(() => opened[Symbol.asyncDispose]())
      return opened
    }
    const databaseWay = await way(Number(new URL(databaseUrl).port))
    const bucketWay = await way(Number(new URL(s3.endpoint).port))

    const film = await packetFilm()
    const upstreams: HostileUpstream[] = []
    const upstreamWays: CuttableWay[] = []
    for (const [index, protocol] of [keyedProtocol, keylessProtocol].entries()) {
      const origin = (): string => `http://127.0.0.1:${upstreamWays[index]?.port}`
      const upstream = await openHostileUpstream(protocol, film, seed + index, origin)
      undo.push(() => upstream[Symbol.asyncDispose]())
      upstreams.push(upstream)
      upstreamWays.push(await way(upstream.port))
    }
    const routingFile = path.join(folder, 'framegate.yaml')
    writeFileSync(routingFile, JSON.stringify(routingOf(upstreams, upstreamWays), null, 1))

    const adminKey = `fg_live_${randomBytes(32).toString('base64url')}`
    const throughWay = new URL(databaseUrl)
    throughWay.port = String(databaseWay.port)
    const environment = {
      FRAMEGATE_CONFIG: routingFile,
      FRAMEGATE_BOOTSTRAP_KEY: adminKey,
      FRAMEGATE_SEAL_KEY: randomBytes(32).toString('base64'),
      FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
      DATABASE_URL: throughWay.href,
      S3_ENDPOINT: `http://127.0.0.1:${bucketWay.port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const processes: ServiceProcess[] = []
    const disks: ScratchQuota[] = []
    for (let index = 0; index < processCount; index++) {
      const dataDir = path.join(folder, `process-${index}`)
      const disk = smallDisk(dataDir)
      undo.push(() => disk.remove())
      disks.push(disk)
      const process = serviceProcess(await freePort(), path.join(logFolder ?? folder, `process-${index}.log`), {
        ...environment,
        FRAMEGATE_DATA_DIR: dataDir,
        // Half of them send readers to the bucket, half send the bytes themselves.
        S3_DELIVERY: index % 2 === 0 ? 'redirect' : 'service',
      })
      undo.push(() => process.kill())
      processes.push(process)
    }
    await Promise.all(processes.map((process) => process.start(Date.now() + startMsMax)))
    const clientKeys = await openAccounts(processes[0]?.baseUrl ?? '', adminKey)
    for (const { baseUrl } of processes) for (const key of clientKeys) await untilKnown(baseUrl, key)
    return {
      folder,
      processes,
      disks,
      postgres,
      databaseUrl,
      s3,
      bucket,
      upstreams,
      ways: { database: [databaseWay], bucket: [bucketWay], upstreams: upstreamWays },
      adminKey,
      clientKeys,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function routingOf(upstreams: readonly HostileUpstream[], ways: readonly CuttableWay[]): object {
  const named = upstreams.map(({ protocol }, index) => {
    const base_url = `http://127.0.0.1:${ways[index]?.port}${protocol.basePath}`
    return [protocol.driver, { driver: protocol.driver, base_url, api_key: 'fg_live_chaos', polls_per_second: 500 }] as const
  })
  return {
    upstreams: Object.fromEntries(named),
    routes: named.map(([name]) => ({ model: chaosModel, upstream: name, upstream_model: 'm', deadline: 180, defer_max: 5 })),
  }
}

async function openAccounts(baseUrl: string, adminKey: string): Promise<string[]> {
  async function ask<Answer>(method: string, below: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${baseUrl}/admin/v1${below}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${below} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const [brand] = (await ask<{ items: { id: string }[] }>('GET', '/brands')).items
  const keys: string[] = []
  for (let index = 0; index < accountCount; index++) {
    const { id } = await ask<{ id: string }>('POST', '/accounts', { name: `customer ${index}`, brand: brand?.id })
    await ask('POST', `/accounts/${id}/grants`, { amount: 10_000_000, reference: `chaos-${index}`, note: 'to be spent' })
    const { key } = await ask<{ key: string }>('POST', `/accounts/${id}/keys`, { scopes: ['tasks:write', 'tasks:read'] })
    keys.push(key)
  }
  return keys
}

/** A process that has just missed the news of a key learns of it within seconds. */
async function untilKnown(baseUrl: string, key: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/v2/model-center/tasks?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    if (answer.ok) return
    await sleep(100)
  }
}
