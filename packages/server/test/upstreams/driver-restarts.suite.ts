import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openCrashableStore } from '../../src/db/sqlite/crashable-store.ts'
import type { Store, TaskRecord } from '../../src/db/store.ts'
import { acceptTask, newTask } from '../../src/db/store-under-test.ts'
import { createCollector } from '../../src/dispatch/collect-result.ts'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { UpstreamConnections } from '../../src/drivers/upstream/call-upstream.ts'
import { openKeptResults } from '../../src/drivers/upstream/kept-results.ts'
import { createUpstreamPictures } from '../../src/drivers/upstream/upstream-pictures.ts'
import { Secret } from '../../src/config/secret.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import { createTaskIds } from '../../src/lib/task-id.ts'
import { openDiskMediaStore } from '../../src/media/disk-media-store.ts'
import { createFrozenRoutes } from '../../src/routing/frozen-routes.ts'
import { Routes } from '../../src/routing/routes.ts'
import { openSeal } from '../../src/routing/seal.ts'
import { expectBalancedBooks } from '../balanced-books.ts'
import { packetFilm } from '../packet-film.ts'
import type { Ask, DriverTrial } from './driver.suite.ts'
import { jobOf } from './driver-trial.ts'
import { Simulator, type Stage } from './simulator.ts'

/** One process's share of a task's life: everything between the store and the upstream, as the service joins it. */
interface Life {
  store: Store
  /** As kill -9: what has not been committed never was, and nothing more goes upstream. */
  kill(): Promise<void>
  end(): Promise<void>
}

/** However often the service is killed, wherever it is with a task: the upstream has one job for it, and one only. */
export function describeRestarts(trial: DriverTrial, ask: Ask): void {
  describe('over a kill -9', () => {
    let folder: string
    let simulator: Simulator
    let life: Life | undefined

    beforeEach(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'framegate-restart-'))
      simulator = await Simulator.open(trial.protocol)
      simulator.moves = ['succeeded']
      const isImage = ask.job?.object === 'image'
      simulator.media = isImage ? await picture() : await packetFilm()
    })
    afterEach(async () => {
      await life?.end()
      await simulator[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    async function submit(): Promise<string> {
      life = await begin(folder, simulator, trial, ask)
      const { store } = life
      await store.query.insertInto('brands').values({ id: 'b', name: 'b', is_default: 1, created_at: 0 }).execute()
      await store.query
        .insertInto('accounts')
        .values({ id: 'a', brand_no: 1, name: 'a', status: 'active', created_at: 0 })
        .execute()
      await store.grant(1, 1000, 'to begin with')
      const { object, parameters } = jobOf(ask.parameters, ask.job)
      const id = createTaskIds(systemClock)()
      const outcome = await acceptTask(store, newTask({ id, accountNo: 1, object, parameters: JSON.stringify(parameters) }))
      expect(outcome.kind).toBe('accepted')
      return id
    }

    async function killAt(stage: Stage): Promise<void> {
      await vi.waitUntil(() => simulator.of(stage).length > 0, { timeout: 30_000, interval: 10 })
      await life?.kill()
      life = await begin(folder, simulator, trial, ask)
    }

    async function endOf(id: string): Promise<TaskRecord | undefined> {
      await vi.waitUntil(() => life?.store.peek(id)?.endedAtMs != null, { timeout: 50_000, interval: 10 })
      const task = await life?.store.find(id)
      if (life !== undefined) await expectBalancedBooks(life.store)
      return task
    }

    it('while a submit that was taken on is not answered', async () => {
      simulator.next('submit', 'silence_after')
      const id = await submit()
      await killAt('submit')
      const task = await endOf(id)
      if (trial.finds === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(1)
    })

    it('while a submit that was not taken on is not answered', async () => {
      simulator.next('submit', 'silence_before')
      const id = await submit()
      await killAt('submit')
      const task = await endOf(id)
      if (trial.finds === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(trial.finds === false ? 0 : 1)
    })

    it.each(['poll', 'result'] as const)('while a %s is not answered', async (stage) => {
      if (stage === 'result' && trial.resultsComeInPolls) return
      simulator.next(stage, 'silence_before')
      const id = await submit()
      await killAt(stage)
      expect(await endOf(id)).toMatchObject({ status: 'completed' })
      expect([simulator.jobs.length, simulator.of('submit').length]).toEqual([1, 1])
    })
  })
}

async function begin(folder: string, simulator: Simulator, trial: DriverTrial, ask: Ask): Promise<Life> {
  const clock = systemClock
  const logger = createLogger('silent')
  const opened = await openCrashableStore(folder, clock)
  const { store } = opened
  const fetchUntrusted = createFetchUntrusted({ allowHosts: ['127.0.0.1'] })
  const connections = new UpstreamConnections()
  const routes = new Routes({
    store,
    frozen: createFrozenRoutes(store.query, openSeal(folder), clock),
    drivers: [trial.driver],
    embedded: { driver: undefined as never, inFlightMax: 1 },
    tools: {
      call: connections.call,
      download: connections.download,
      fetchUntrusted,
      pictures: createUpstreamPictures({ fetchUntrusted }),
      results: openKeptResults(path.join(folder, 'kept')),
      clock,
      operationChanged: () => {},
    },
    // Always the same for an attempt: some upstreams are asked for a job by it.
    callbackUrl: (frozenNo, attemptId) => `https://gate.example/callbacks/${frozenNo}/${attemptId}/token`,
    clock,
    logger,
  })
  const baseUrl = simulator.origin + (trial.basePath ?? '')
  const upstream = {
    name: 'main',
    driver: trial.driver,
    baseUrl,
    credential: new Secret(trial.credential),
    inFlightMax: 10,
    pollsPerSecondMax: 100,
  }
  const target = {
    baseUrl,
    model: 'a-model',
    parameters: {},
    extra: {},
    workflow: null,
    slots: {},
    ...trial.target,
    ...ask.target,
  }
  await routes.use({
    upstreams: [upstream],
    routes: [
      {
        name: 'main',
        model: '*',
        upstream,
        target,
        priority: 0,
        weight: 1,
        inFlightMax: 10,
        deferMaxMs: 1000,
        deadlineMs: null,
        cost: { perSecond: 0, perImage: 0, perTask: 0 },
      },
    ],
  })
  const mediaStore = await openDiskMediaStore(path.join(folder, 'media'))
  const dispatcher = new Dispatcher({
    store,
    routes,
    modelFacts: () => ({ size: () => jobOf(ask.parameters, ask.job).size, charge: () => 1, deadlineMs: 60_000 }),
    collector: createCollector({ mediaStore, scratchDir: path.join(folder, 'scratch'), retentionMs: 60_000 }),
    clock,
    logger,
    findAfterMs: [10, 20, 30],
  })
  dispatcher.start()

  async function end(): Promise<void> {
    await dispatcher[Symbol.asyncDispose]()
    await routes[Symbol.asyncDispose]()
    await connections[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  }
  return {
    store,
    end,
    async kill() {
      await opened.crash()
      await connections[Symbol.asyncDispose]()
      await dispatcher[Symbol.asyncDispose]()
      await routes[Symbol.asyncDispose]()
    },
  }
}

async function picture(): Promise<Buffer> {
  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
  return plain.png().toBuffer()
}
