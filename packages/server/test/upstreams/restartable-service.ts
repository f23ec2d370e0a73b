import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { expect, vi } from 'vitest'
import type { Store } from '../../src/db/store.ts'
import type { TaskRecord } from '../../src/db/task-queries.ts'
import { newTask } from '../../src/db/store-under-test.ts'
import { openCollector } from '../../src/dispatch/collect-result.ts'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import type { ModelFacts } from '../../src/dispatch/model-facts.ts'
import { createUnresolvedAttempts } from '../../src/dispatch/unresolved-attempts.ts'
import { watchOverdue } from '../../src/dispatch/watch-overdue.ts'
import { UpstreamConnections } from '../../src/drivers/upstream/call-upstream.ts'
import { openLocalResults } from '../../src/drivers/upstream/local-results.ts'
import { createUpstreamFiles } from '../../src/drivers/upstream/upstream-files.ts'
import { decodeInProcess } from '../decode-in-process.ts'
import { Secret } from '../../src/config/secret.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import { createTaskIds } from '../../src/identity/task-id.ts'
import { openDiskMediaStore } from '../../src/media/disk-media-store.ts'
import { ProberPool } from '../../src/media/prober/prober-pool.ts'
import { noTelemetry } from '../../src/telemetry/telemetry.ts'
import { createRouteSnapshots } from '../../src/routing/route-snapshots.ts'
import { createFindSlotPools } from '../../src/routing/slot-pools.ts'
import { Routes } from '../../src/routing/routes.ts'
import { createEncryption, readEncryptionKey } from '../../src/routing/encryption.ts'
import { createDrawWatermark } from '../../src/watermark/draw-watermark.ts'
import { expectConsistentLedger } from '../consistent-ledger.ts'
import { packetVideo } from '../packet-video.ts'
import { openCrashableFastStore } from '../fast-store.ts'
import { type RequestSpec, type DriverSpec, requestOf } from './driver-spec.ts'
import { Simulator } from './simulator.ts'

/**
 * A service that runs tasks on a simulated upstream, its only route, over any number of successive
 * processes.
 */
export interface RestartableService extends AsyncDisposable {
  simulator: Simulator
  /** The store of the current process. */
  readonly store: Store
  submit(): Promise<string>
  /** Kills the process as `kill -9` would, and starts another one on the same data. */
  killAndRestart(): Promise<void>
  /** Replaces the route's key with one that the simulator rejects. */
  rotateKey(): Promise<void>
  /** Waits until the task has ended, and checks that the ledger is consistent. */
  endOf(id: string): Promise<TaskRecord | undefined>
  /** Names of the files of stored results. */
  storedFiles(): string[]
  readonly folder: string
}

/**
 * Prober processes shared by all services in this process, because separate ones would take half of
 * the tests' CPU time. They end with this process.
 */
const probers = new ProberPool({ log: createLogger('silent') })

type ServiceSpec = Pick<DriverSpec, 'driver' | 'protocol' | 'basePath' | 'credential' | 'target'>
type ServiceRequest = Pick<RequestSpec, 'parameters' | 'request' | 'target'>

/** One process: the components between the store and the upstream, assembled as in the service. */
interface ServiceProcess {
  store: Store
  useKey(credential: string): Promise<void>
  /**
   * Ends the process as `kill -9` would: uncommitted work is lost, and nothing more is sent
   * upstream.
   */
  kill(): Promise<void>
  end(): Promise<void>
}

/** Overrides for tests of tasks with several results. */
export interface ServiceOptions {
  /** Opens the store, on the same data for each process. Default: SQLite in the folder. */
  openStore?: (folder: string) => Promise<{ store: Store; crash(): Promise<void> }>
  facts?: Pick<ModelFacts, 'resultsMax' | 'charge'>
}

export async function openRestartableService(
  spec: ServiceSpec,
  serviceRequest: ServiceRequest,
  options: ServiceOptions = {},
): Promise<RestartableService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-restartable-'))
  const simulator = await Simulator.open(spec.protocol)
  simulator.moves = ['succeeded']
  simulator.media = serviceRequest.request?.object === 'image' ? await createImage() : await packetVideo()
  let { credential } = spec
  const start = () => startProcess(folder, simulator, spec, serviceRequest, credential, options)
  let current = await start()
  const { database } = current.store
  await database.insertInto('brands').values({ id: 'b', name: 'b', is_default: 1, created_at: 0 }).execute()
  await database.insertInto('accounts').values({ id: 'a', brand_no: 1, name: 'a', status: 'active', created_at: 0 }).execute()
  await current.store.grant(1, 1000, 'to begin with')

  return {
    simulator,
    folder,
    get store() {
      return current.store
    },
    async submit() {
      const { object, parameters } = requestOf(serviceRequest.parameters, serviceRequest.request)
      const id = createTaskIds(systemClock)()
      const outcome = await current.store.accept(newTask({ id, accountNo: 1, object, parameters: JSON.stringify(parameters) }))
      expect(outcome.kind).toBe('accepted')
      return id
    },
    async killAndRestart() {
      await current.kill()
      current = await start()
    },
    async rotateKey() {
      credential = `${credential}-rotated`
      await current.useKey(credential)
    },
    async endOf(id) {
      await vi.waitUntil(() => current.store.peek(id)?.endedAtMs != null, { timeout: 50_000, interval: 10 })
      await expectConsistentLedger(current.store)
      return current.store.find(id)
    },
    storedFiles: () =>
      readdirSync(path.join(folder, 'media'), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [entry.name] : [],
      ),
    async [Symbol.asyncDispose]() {
      await current.end()
      await simulator[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(
  folder: string,
  simulator: Simulator,
  spec: ServiceSpec,
  serviceRequest: ServiceRequest,
  credential: string,
  { openStore = async (dataDir) => openCrashableFastStore({ dataDir, clock: systemClock }), facts }: ServiceOptions,
): Promise<ServiceProcess> {
  const clock = systemClock
  const logger = createLogger('silent')
  const openedStore = await openStore(folder)
  const { store } = openedStore
  const fetchUntrusted = createFetchUntrusted({ allowHosts: ['127.0.0.1'] })
  const connections = new UpstreamConnections()
  const routes = new Routes({
    store,
    snapshots: createRouteSnapshots(store.database, createEncryption(readEncryptionKey(folder)), clock),
    findPools: createFindSlotPools(store.database),
    drivers: [spec.driver],
    embedded: { driver: undefined as never, inFlightMax: 1 },
    tools: {
      call: connections.call,
      download: connections.download,
      stream: () => Promise.reject(new Error('drivers forward nothing here')),
      fetchUntrusted,
      files: createUpstreamFiles({ fetchUntrusted, decodeImageFile: decodeInProcess }),
      results: openLocalResults(path.join(folder, 'kept')),
      clock,
      operationChanged: () => {},
    },
    // The URL is constant for each attempt, because the service finds a job at some upstreams by it.
    callbackUrl: (snapshotNo, attemptId) => `https://gate.example/callbacks/${snapshotNo}/${attemptId}/token`,
    clock,
    logger,
  })
  const baseUrl = simulator.origin + (spec.basePath ?? '')
  const target = {
    baseUrl,
    model: 'a-model',
    parameters: {},
    extra: {},
    workflow: null,
    slots: {},
    ...spec.target,
    ...serviceRequest.target,
  }
  const rank = { priority: 0, weight: 1, inFlightMax: 10, deferMaxMs: 1000, deadlineMs: null }
  const cost = null
  async function useKey(key: string): Promise<void> {
    const limits = { inFlightMax: 10, pollsPerSecondMax: 100 }
    const upstream = { name: 'main', driver: spec.driver, baseUrl, credential: new Secret(key), ...limits }
    await routes.use({ upstreams: [upstream], routes: [{ name: 'main', model: '*', upstream, target, cost, ...rank }] })
  }
  await useKey(credential)
  const mediaStore = await openDiskMediaStore(path.join(folder, 'media'))
  const findModelFacts = (): ModelFacts => ({
    size: () => requestOf(serviceRequest.parameters, serviceRequest.request).size,
    resultsMax: () => 1,
    charge: () => 1,
    hold: () => 1,
    promptCharactersMax: 5_000,
    ...facts,
    deadlineMs: 60_000,
  })
  const dispatcher = new Dispatcher({
    telemetry: noTelemetry,
    store,
    routes,
    findModelFacts,
    collector: await openCollector({
      mediaStore,
      drawWatermark: createDrawWatermark(),
      probeUntrustedFile: probers.probe,
      scratchDir: path.join(folder, 'scratch'),
      retentionMs: 60_000,
    }),
    clock,
    logger,
    findDelaysMs: [10, 20, 30],
  })
  dispatcher.start()
  const unresolved = createUnresolvedAttempts(store.database, clock)
  const watch = watchOverdue({
    isLeader: () => true,
    telemetry: noTelemetry,
    unresolved,
    store,
    routes,
    findModelFacts,
    clock,
    logger,
    sweepIntervalMs: 50,
  })

  async function end(): Promise<void> {
    await watch[Symbol.asyncDispose]()
    await dispatcher[Symbol.asyncDispose]()
    await routes[Symbol.asyncDispose]()
    await connections[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  }
  return {
    store,
    useKey,
    end,
    async kill() {
      await openedStore.crash()
      await connections[Symbol.asyncDispose]()
      await watch[Symbol.asyncDispose]()
      await dispatcher[Symbol.asyncDispose]()
      await routes[Symbol.asyncDispose]()
    },
  }
}

async function createImage(): Promise<Buffer> {
  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
  return plain.png().toBuffer()
}
