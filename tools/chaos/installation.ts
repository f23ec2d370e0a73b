import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packetVideo } from '../../packages/server/test/packet-video.ts'
import {
  createDatabase,
  findPostgresPrograms,
  startPostgresServer,
  type PostgresServer,
} from '../../packages/server/test/postgres/postgres-server.ts'
import { startS3Server, s3ServerUnavailable, type S3Server } from '../../packages/server/test/s3-server.ts'
import { openCuttableProxy, type CuttableProxy } from '../../packages/server/test/cuttable-proxy.ts'
import { startFaultyReceivers, type FaultyReceivers } from './faulty-receivers.ts'
import { startFaultyUpstream, type FaultyUpstream } from './faulty-upstream.ts'
import { createWebhooks } from './create-webhooks.ts'
import { Random } from './random.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import { routingFile, trialUpstreams } from './routing.ts'

const processCount = 4
const accountsPerBrand = 2
/** Host of the second brand, a storefront. The default brand has every other host. */
const secondBrandHost = 'localhost'
const startMsMax = 60_000
const databaseName = 'chaos'

/**
 * All running parts: PostgreSQL, the S3 server, the upstreams, the proxies in front of them, the
 * webhook receivers, and the processes of the service.
 */
export interface Installation extends AsyncDisposable {
  folder: string
  processes: ServiceProcess[]
  disks: SmallDisk[]
  postgres: PostgresServer
  /** URL of the database without a proxy, for the audit at the end. */
  databaseUrl: string
  s3: S3Server
  bucket: string
  upstreams: FaultyUpstream[]
  receivers: FaultyReceivers
  proxies: Record<'database' | 'bucket' | 'upstreams', CuttableProxy[]>
  adminKey: string
  clientAccounts: ClientAccount[]
}

export interface ClientAccount {
  name: string
  apiKey: string
  /** Host name of the account's brand. */
  host: string
}

/** Base URL through which an account reaches a process. Its host selects the account's brand. */
export function baseUrlFor({ host }: ClientAccount, { baseUrl }: Pick<ServiceProcess, 'baseUrl'>): string {
  return baseUrl.replace('127.0.0.1', host)
}

/** The reason why the chaos test cannot run on this machine; null if it can. */
export const chaosSkipReason = findPostgresPrograms() === undefined ? 'no PostgreSQL server on this machine' : s3ServerUnavailable

/**
 * Starts all parts. The processes log to `logFolder`, which is kept. By default they log to the
 * folder of the run, which is removed at the end.
 */
export async function startInstallation(seed: number, logFolder?: string): Promise<Installation> {
  const programs = findPostgresPrograms()
  if (programs === undefined || chaosSkipReason !== null) throw new Error(`The chaos test cannot run here: ${chaosSkipReason}.`)
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-chaos-'))
  const cleanUpSteps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  if (logFolder !== undefined) mkdirSync(logFolder, { recursive: true })
  async function close(): Promise<void> {
    for (const step of cleanUpSteps.splice(0).toReversed()) await step()
  }
  try {
    const postgres = await startPostgresServer(programs)
    cleanUpSteps.push(() => postgres.remove())
    const databaseUrl = await createDatabase(postgres.url, databaseName)
    const s3 = await startS3Server()
    cleanUpSteps.push(() => s3[Symbol.asyncDispose]())
    const { bucket } = s3.newBucket()
    const openProxy = async (port: number): Promise<CuttableProxy> => {
      const proxy = await openCuttableProxy(port)
      cleanUpSteps.push(() => proxy[Symbol.asyncDispose]())
      return proxy
    }
    const databaseProxy = await openProxy(Number(new URL(databaseUrl).port))
    const bucketProxy = await openProxy(Number(new URL(s3.endpoint).port))

    const video = await packetVideo()
    const upstreams: FaultyUpstream[] = []
    const upstreamProxies: CuttableProxy[] = []
    for (const [index, planned] of trialUpstreams.entries()) {
      const origin = (): string => `http://127.0.0.1:${upstreamProxies[index]?.port}`
      const upstream = await startFaultyUpstream(planned, video, seed + index, origin)
      cleanUpSteps.push(() => upstream[Symbol.asyncDispose]())
      upstreams.push(upstream)
      upstreamProxies.push(await openProxy(upstream.port))
    }
    const receivers = await startFaultyReceivers(new Random(seed + trialUpstreams.length))
    cleanUpSteps.push(() => receivers[Symbol.asyncDispose]())
    const originOf = (name: string): string =>
      `http://127.0.0.1:${upstreamProxies[trialUpstreams.findIndex((upstream) => upstream.name === name)]?.port}`
    const configurationFile = path.join(folder, 'framegate.yaml')
    writeFileSync(configurationFile, JSON.stringify(routingFile(originOf), null, 1))

    const adminKey = `fg_live_${randomBytes(32).toString('base64url')}`
    const proxiedDatabaseUrl = new URL(databaseUrl)
    proxiedDatabaseUrl.port = String(databaseProxy.port)
    const environment = {
      FRAMEGATE_CONFIG: configurationFile,
      FRAMEGATE_BOOTSTRAP_KEY: adminKey,
      FRAMEGATE_SEAL_KEY: randomBytes(32).toString('base64'),
      FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
      DATABASE_URL: proxiedDatabaseUrl.href,
      S3_ENDPOINT: `http://127.0.0.1:${bucketProxy.port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const processes: ServiceProcess[] = []
    const disks: SmallDisk[] = []
    for (let index = 0; index < processCount; index++) {
      const dataDir = path.join(folder, `process-${index}`)
      const disk = mountSmallDisk(dataDir)
      cleanUpSteps.push(() => disk.remove())
      disks.push(disk)
      const instance = createServiceProcess(await freePort(), path.join(logFolder ?? folder, `process-${index}.log`), {
        ...environment,
        FRAMEGATE_DATA_DIR: dataDir,
        // Half of the processes redirect downloads to the bucket, the others send the files
        // themselves.
        S3_DELIVERY: index % 2 === 0 ? 'redirect' : 'service',
      })
      cleanUpSteps.push(() => instance.kill())
      processes.push(instance)
    }
    await Promise.all(processes.map((instance) => instance.start(Date.now() + startMsMax)))
    const clientAccounts = await createAccounts(processes[0]?.baseUrl ?? '', adminKey)
    for (const instance of processes) for (const account of clientAccounts) await waitUntilKnown(instance, account)
    for (const account of clientAccounts) {
      const [instance] = processes
      if (instance !== undefined) await createWebhooks(baseUrlFor(account, instance), account, receivers)
    }
    return {
      folder,
      processes,
      disks,
      postgres,
      databaseUrl,
      s3,
      bucket,
      upstreams,
      receivers,
      proxies: { database: [databaseProxy], bucket: [bucketProxy], upstreams: upstreamProxies },
      adminKey,
      clientAccounts,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function createAccounts(baseUrl: string, adminKey: string): Promise<ClientAccount[]> {
  async function requestAdmin<Body>(method: string, endpointPath: string, body?: object): Promise<Body> {
    const response = await fetch(`${baseUrl}/admin/v1${endpointPath}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${endpointPath} got HTTP ${response.status}: ${await response.text()}`)
    return (await response.json()) as Body
  }
  const [defaultBrand] = (await requestAdmin<{ items: { id: string }[] }>('GET', '/brands')).items
  const secondBrand = await requestAdmin<{ id: string }>('POST', '/brands', { name: 'second brand', hosts: [secondBrandHost] })
  const accounts: ClientAccount[] = []
  for (const [brandIndex, brand] of [defaultBrand, secondBrand].entries()) {
    for (let index = 0; index < accountsPerBrand; index++) {
      const name = `brand ${brandIndex + 1}, customer ${index + 1}`
      const { id } = await requestAdmin<{ id: string }>('POST', '/accounts', { name, brand: brand?.id })
      const grant = { amount: 10_000_000, reference: `chaos-${accounts.length}`, note: 'to be spent' }
      await requestAdmin('POST', `/accounts/${id}/grants`, grant)
      const { key } = await requestAdmin<{ key: string }>('POST', `/accounts/${id}/keys`, {
        scopes: ['tasks:write', 'tasks:read', 'webhooks:write'],
      })
      accounts.push({ name, apiKey: key, host: brandIndex === 0 ? '127.0.0.1' : secondBrandHost })
    }
  }
  return accounts
}

/**
 * Waits until a process knows the account's key. If the notification of the new key was lost, the
 * process finds the key within seconds.
 */
async function waitUntilKnown(instance: ServiceProcess, account: ClientAccount): Promise<void> {
  const url = `${baseUrlFor(account, instance)}/v2/model-center/tasks?limit=1`
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${account.apiKey}` } })
    await response.arrayBuffer()
    if (response.ok) return
    await sleep(100)
  }
}
