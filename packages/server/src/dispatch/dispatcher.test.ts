import { mkdtempSync, rmSync } from 'node:fs'
import { claimEmbedded } from '../db/store-under-test.ts'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SqliteStore } from '../db/sqlite/sqlite-store.ts'
import { openFastStore } from '../../test/fast-store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import { noTelemetry } from '../telemetry/telemetry.ts'
import type { StoredResult, TaskRecord } from '../db/task-queries.ts'
import {
  DriverRefusal,
  OutputUnavailable,
  type Driver,
  type DriverOutput,
  type Operation,
  type PollOutcome,
} from '../drivers/driver.ts'
import { systemClock } from '../lib/clock.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskIds } from '../identity/task-id.ts'
import { Routes } from '../routing/routes.ts'
import { UnusableResult, type Collector } from './collect-result.ts'
import { Dispatcher } from './dispatcher.ts'
import { RunningTask } from './running-task.ts'
import { expectConsistentLedger } from '../../test/consistent-ledger.ts'

/** A driver with scripted replies. It records the calls that it receives. */
class ScriptedDriver implements Driver {
  readonly name = 'scripted'
  isStartIdempotent = true
  startedAttemptIds: string[] = []
  cancelledOperations: Operation[] = []
  polledOperations: Operation[] = []
  start = async (job: { attemptId: string }): Promise<Operation> => {
    this.startedAttemptIds.push(job.attemptId)
    return { upstream: job.attemptId }
  }
  poll = async (operation: Operation, _job: unknown, _signal: AbortSignal): Promise<PollOutcome> => {
    this.polledOperations.push(operation)
    return { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: null }] }
  }
  async fetchOutput() {
    return Readable.from(['video'])
  }
  async cancel(operation: Operation) {
    this.cancelledOperations.push(operation)
  }
  async [Symbol.asyncDispose]() {}
}

const storedResult: StoredResult = {
  objectKey: 'task_x.mp4',
  contentType: 'video/mp4',
  sizeBytes: 4,
  sha256: 'a'.repeat(64),
  width: 64,
  height: 32,
  durationMs: 4000,
  seed: null,
  expiresAtMs: Date.now() + 1000,
  removed: false,
}

describe('dispatcher', () => {
  let dataDir: string
  let store: SqliteStore
  let driver: ScriptedDriver
  let dispatcher: Dispatcher
  let routes: Routes
  let collect: Collector['collect']
  let discardedTaskIds: string[] = []
  let discard: () => Promise<void>
  let deadlineMs = 60_000
  let resultsMax = 1
  const nextId = createTaskIds(systemClock)

  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-dispatch-'))
    store = await openFastStore({ dataDir, clock: systemClock })
    await store.database.insertInto('brands').values({ id: 'b', name: 'b', is_default: 1, created_at: 0 }).execute()
    await store.database
      .insertInto('accounts')
      .values({ id: 'a', brand_no: 1, name: 'a', status: 'active', created_at: 0 })
      .execute()
    await store.grant(1, 1000, 'to begin with')
    driver = new ScriptedDriver()
    routes = newRoutes(4)
    collect = async () => storedResult
    discardedTaskIds = []
    discard = async () => {}
    deadlineMs = 60_000
    resultsMax = 1
    dispatcher = newDispatcher()
  })

  afterEach(async () => {
    await dispatcher[Symbol.asyncDispose]()
    await expectConsistentLedger(store)
    expect((await store.verifyCredits()).differences).toEqual([])
    await store[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function newRoutes(inFlightMax: number): Routes {
    return new Routes({
      store,
      snapshots: { save: async () => 0, find: async () => undefined },
      findPools: async () => ({ ofUpstream: () => 0, ofRoute: () => 0 }),
      drivers: [],
      embedded: { driver, inFlightMax },
      tools: undefined as never,
      callbackUrl: () => null,
      clock: systemClock,
      logger: createLogger('silent'),
    })
  }

  function newDispatcher(clock = systemClock, findDelaysMs = [20_000]): Dispatcher {
    return new Dispatcher({
      findDelaysMs,
      telemetry: noTelemetry,
      store,
      routes,
      findModelFacts: (id) =>
        id === 'gone'
          ? undefined
          : {
              size: () => ({ width: 64, height: 32 }),
              resultsMax: () => resultsMax,
              charge: (_parameters, [seconds], { priceNo }) => (seconds ?? 0) * (priceNo ?? 10),
              hold: () => 1_000,
              promptCharactersMax: 5_000,
              deadlineMs,
            },
      collector: {
        startThumbnails: () => {},
        release: async () => {},
        collect: (request) => collect(request),
        discard: (taskId) => {
          discardedTaskIds.push(taskId)
          return discard()
        },
      },
      discardIntervalMs: 50,
      clock,
      logger: createLogger('silent'),
    })
  }

  async function submit(model = 'a model', priceNo: number | null = null, lane = 0): Promise<TaskRecord> {
    const outcome = await store.accept({
      id: nextId(),
      accountNo: 1,
      keyNo: null,
      model,
      object: 'video',
      parameters: '{"prompt":"x"}',
      images: null,
      priceMicroCredits: 100,
      priceNo,
      modelVersionNo: null,
      delayMs: 0,
      lane,
      idempotency: null,
    })
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
    return outcome.task
  }

  function untilEnded(id: string): Promise<TaskRecord> {
    return vi.waitUntil(
      () => {
        const task = store.peek(id)
        return task?.endedAtMs ? task : undefined
      },
      { timeout: 5000, interval: 5 },
    )
  }

  function untilPolled(count = 1): Promise<unknown> {
    return vi.waitUntil(() => driver.polledOperations.length >= count, { timeout: 5000, interval: 5 })
  }

  const stillRunning = async (operation: Operation): Promise<PollOutcome> => {
    driver.polledOperations.push(operation)
    return { state: 'running', progress: 30 }
  }

  it('a task runs to completion and is charged for its result', async () => {
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed', chargedMicroCredits: 40, results: [storedResult] })
    expect(driver.startedAttemptIds).toEqual([`${id}_1`])
  })

  it('a task of a new lane starts immediately, also right after another new lane', async () => {
    const startedAtMs = Date.now()
    // This clock does not advance, so a wait for a later time would never end.
    dispatcher = newDispatcher(() => startedAtMs)
    dispatcher.start()
    await untilEnded((await submit('a model', null, 98)).id)
    await untilEnded((await submit('a model', null, 99)).id)
  })

  it('a claim of many tasks is followed by a pause while further tasks arrive', async () => {
    routes = newRoutes(64)
    await store.grant(1, 100_000, 'for more tasks')
    await Promise.all(Array.from({ length: 32 }, () => submit()))
    const claim = store.claim.bind(store)
    let claimedAtMs: number | null = null
    let pauseMs = 0
    vi.spyOn(store, 'claim').mockImplementationOnce(async (...args) => {
      const claims = await claim(...args)
      await submit()
      claimedAtMs = performance.now()
      return claims
    })
    const takeDue = store.takeDue.bind(store)
    vi.spyOn(store, 'takeDue').mockImplementation((...args) => {
      if (claimedAtMs !== null && pauseMs === 0) pauseMs = performance.now() - claimedAtMs
      return takeDue(...args)
    })
    dispatcher = newDispatcher()
    dispatcher.start()
    await vi.waitUntil(() => driver.startedAttemptIds.length === 33, { timeout: 10_000 })
    // 0.2 ms per task. A timer may end a millisecond early.
    expect(pauseMs).toBeGreaterThan(5)
  })

  it('a task is charged at the price at which it was accepted', async () => {
    dispatcher.start()
    const { id } = await submit('a model', 3)
    expect(await untilEnded(id)).toMatchObject({ status: 'completed', chargedMicroCredits: 12 })
  })

  it('a charge never exceeds the hold', async () => {
    collect = async () => ({ ...storedResult, durationMs: 20_000 })
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed', chargedMicroCredits: 100 })
  })

  it('a route runs one task per slot, and the other tasks stay queued', async () => {
    driver.poll = stillRunning
    dispatcher.start()
    const tasks = await Promise.all(Array.from({ length: 7 }, () => submit()))
    await untilPolled(4)
    const statuses = tasks.map(({ id }) => store.peek(id)?.status)
    expect(statuses.filter((status) => status === 'processing')).toHaveLength(4)
    expect(statuses.filter((status) => status === 'queued')).toHaveLength(3)
  })

  it('the progress that the driver reports is stored', async () => {
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => store.peek(id)?.progress === 30, { timeout: 5000 })
  })

  it('a notification from the driver triggers a poll immediately', async () => {
    driver.isStartIdempotent = false
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await untilPolled()
    driver.poll = async () => ({ state: 'failed', code: 'content_policy', reason: 'No.', retryable: false })
    const notifiedAtMs = performance.now()
    dispatcher.operationChanged(`${id}_1`)
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'content_policy', errorMessage: 'No.' })
    // Without a notification, the next poll of an upstream comes after 1.8 s at the earliest.
    expect(performance.now() - notifiedAtMs).toBeLessThan(1_500)
  })

  it('cancelling a running task cancels its job at the driver', async () => {
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await untilPolled()
    expect(await store.cancel(id)).toBe(true)
    await vi.waitUntil(() => driver.cancelledOperations.length === 1, { timeout: 10_000 })
    expect(driver.cancelledOperations).toEqual([{ upstream: `${id}_1` }])
    expect(store.peek(id)).toMatchObject({ status: 'failed', errorCode: 'cancelled', chargedMicroCredits: 0 })
  })

  it('a task that is cancelled while its result is collected stays cancelled', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    collect = async () => {
      await released
      return storedResult
    }
    dispatcher.start()
    const { id } = await submit()
    await untilPolled()
    await store.cancel(id)
    release()
    await dispatcher.drain(1000)
    expect(store.peek(id)).toMatchObject({ status: 'failed', errorCode: 'cancelled', results: [] })
    expect(discardedTaskIds, 'the file that no task names').toEqual([id])
  })

  it('a task that exceeds its deadline fails and releases its hold', async () => {
    deadlineMs = 50
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_timeout', chargedMicroCredits: 0 })
    await vi.waitUntil(() => driver.cancelledOperations.length === 1, { timeout: 10_000 })
  })

  it('a task with retryable failures has at most three attempts', async () => {
    driver.poll = async () => ({ state: 'failed', code: 'upstream_failed', reason: 'crashed', retryable: true })
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_failed', errorMessage: 'crashed' })
    expect(driver.startedAttemptIds).toEqual([`${id}_1`, `${id}_2`, `${id}_3`])
  })

  it('a task that the driver refuses fails immediately', async () => {
    driver.start = async () => {
      throw new DriverRefusal('invalid_input', 'reference_images/0 is not an image.')
    }
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({
      status: 'failed',
      errorCode: 'invalid_input',
      errorMessage: 'reference_images/0 is not an image.',
    })
  })

  it('polling continues after a poll that throws', async () => {
    const succeed = driver.poll
    let polls = 0
    driver.poll = async (...args) => {
      if (++polls === 1) throw new Error('connection reset')
      return succeed(...args)
    }
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
  })

  it('the result is collected again when storing it fails', async () => {
    let collectCount = 0
    collect = async () => {
      if (++collectCount < 3) throw new Error('the disk reports an error')
      return storedResult
    }
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
    expect(driver.startedAttemptIds).toHaveLength(1)
  })

  it('storing a result is retried until the disk has space again', { timeout: 60_000 }, async () => {
    let collectCount = 0
    collect = async () => {
      if (++collectCount <= 3) throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
      return storedResult
    }
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => store.peek(id)?.endedAtMs !== null, { timeout: 40_000 })
    expect(store.peek(id)).toMatchObject({ status: 'completed' })
    expect(driver.startedAttemptIds).toHaveLength(1)
  })

  it('repeated callbacks do not shorten the pause before a failed download is retried', async () => {
    const collections = vi.fn<typeof collect>().mockRejectedValue(new UnusableResult(new Error('<html>')))
    collect = collections
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => collections.mock.calls.length > 0, { interval: 5 })
    for (let callbacks = 0; callbacks < 20; callbacks++) {
      dispatcher.operationChanged(`${id}_1`)
      await setTimeout(5)
    }
    expect(collections).toHaveBeenCalledTimes(1)
  })

  it('a download is retried for ten minutes while the server of the result is unavailable', async () => {
    deadlineMs = 3_600_000
    const pauseSpy = vi.spyOn(RunningTask.prototype, 'pauseIgnoringWake').mockImplementation(async () => {})
    onTestFinished(() => pauseSpy.mockRestore())
    const collections = vi.fn<typeof collect>().mockRejectedValue(new UnusableResult(new OutputUnavailable('HTTP 503')))
    collect = collections
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_failed' })
    const pausesMs = pauseSpy.mock.calls.map(([ms]) => ms)
    expect(pausesMs.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
    expect(pausesMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(600_000)
    expect(collections).toHaveBeenCalledTimes(pausesMs.length + 1)
    expect(driver.startedAttemptIds).toHaveLength(1)
  })

  it('a task completes with its usable results before its deadline while the server of another result is unavailable', async () => {
    deadlineMs = 90_000
    resultsMax = 2
    let pausedMs = 0
    const pauseSpy = vi.spyOn(RunningTask.prototype, 'pauseIgnoringWake').mockImplementation(async function (
      this: RunningTask,
      ms,
    ) {
      pausedMs += ms
      vi.spyOn(performance, 'now').mockReturnValue(startedAtMs + pausedMs)
      if (pausedMs >= deadlineMs) this.stop('deadline')
    })
    const startedAtMs = performance.now()
    onTestFinished(() => void vi.restoreAllMocks())
    const output: DriverOutput = { contentType: 'video/mp4', location: null }
    driver.poll = async () => ({ state: 'succeeded', outputs: [output, output] })
    collect = async ({ position }) => {
      if (position === 0) return storedResult
      throw new UnusableResult(new OutputUnavailable('HTTP 503'))
    }
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed', results: [storedResult] })
    expect(pauseSpy.mock.calls.map(([ms]) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 1_000, 2_000])
  })

  it('a closing dispatcher releases its tasks, and the next one resumes the same operation', async () => {
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await untilPolled()
    await dispatcher[Symbol.asyncDispose]()
    expect(store.peek(id)).toMatchObject({ status: 'processing' })
    driver.polledOperations = []
    dispatcher = newDispatcher()
    dispatcher.start()
    await untilPolled()
    expect(driver.startedAttemptIds).toHaveLength(1)
    expect(driver.polledOperations[0]).toEqual({ upstream: `${id}_1` })
  })

  /** Makes the next `times` reads of a task fail as if the database were unavailable for reads. */
  function failReads(times: number): { readonly failed: number } {
    const failures = { failed: 0 }
    const find = store.find.bind(store)
    vi.spyOn(store, 'find').mockImplementation(async (id) => {
      if (failures.failed === times) return find(id)
      failures.failed += 1
      throw new StoreUnavailable()
    })
    return failures
  }

  it('a claimed task that cannot be read at first runs as soon as it can be read', async () => {
    const failures = failReads(2)
    dispatcher.start()
    const { id } = await submit()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
    expect(failures.failed).toBe(2)
    expect(driver.startedAttemptIds).toEqual([`${id}_1`])
  })

  it('a closing dispatcher releases a task that it cannot read', async () => {
    const failures = failReads(Infinity)
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => failures.failed > 0, { timeout: 10_000 })
    await dispatcher[Symbol.asyncDispose]()
    vi.restoreAllMocks()
    expect(driver.startedAttemptIds).toEqual([])
    dispatcher = newDispatcher()
    dispatcher.start()
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
  })

  it('files of a killed process are removed when the task is cancelled before another worker resumes it', async () => {
    const { id } = await submit()
    await claimEmbedded(store, 1, 60_000)
    dispatcher.start()
    await store.cancel(id)
    await vi.waitUntil(() => discardedTaskIds.length === 1, { timeout: 10_000 })
    expect(discardedTaskIds).toEqual([id])
  })

  it('files of a process that was killed right after a cancel are removed at the next start', async () => {
    const { id } = await submit()
    await claimEmbedded(store, 1, 60_000)
    await store.cancel(id)
    dispatcher.start()
    await vi.waitUntil(() => discardedTaskIds.length === 1, { timeout: 10_000 })
    expect(discardedTaskIds).toEqual([id])
  })

  it.each([
    ['no file', 'no other worker', [] as const],
    ['its file', 'another worker', ['the task'] as const],
  ])('when a task fails, the dispatcher discards %s if %s had begun an attempt', async (_what, attemptedBy, expected) => {
    driver.poll = async () => ({ state: 'failed', code: 'content_policy', reason: 'No.', retryable: false })
    const { id } = await submit()
    if (attemptedBy === 'another worker') await claimEmbedded(store, 1, 0)
    dispatcher.start()
    await untilEnded(id)
    await dispatcher.drain(1000)
    expect(discardedTaskIds).toEqual(expected.map(() => id))
  })

  it('files of a cancelled task that cannot be removed are removed later', async () => {
    discard = () => Promise.reject(new Error('the bucket did not respond'))
    const { id } = await submit()
    await claimEmbedded(store, 1, 60_000)
    await store.cancel(id)
    dispatcher.start()
    await vi.waitUntil(() => discardedTaskIds.length >= 3, { timeout: 10_000 })
    discard = async () => {}
    const { length } = discardedTaskIds
    await setTimeout(200)
    expect(discardedTaskIds.slice(length)).toEqual([id])
  })

  it('no file is discarded for a completed task or for one that never started', async () => {
    dispatcher.start()
    const { id } = await submit()
    await untilEnded(id)
    await dispatcher.drain(1000)
    const cancelledTask = await submit()
    await store.cancel(cancelledTask.id)
    expect(discardedTaskIds).toEqual([])
  })

  it('a dispatcher keeps its tasks after a suspension longer than the lease', async () => {
    let aheadMs = 0
    await store[Symbol.asyncDispose]()
    store = await openFastStore({ dataDir, clock: () => Date.now() + aheadMs })
    dispatcher = newDispatcher(() => Date.now() + aheadMs)
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => store.peek(id)?.progress === 30, { timeout: 5000 })
    // The clock jumps just after a search for expired leases. A search that is under way during the
    // jump would find the tasks of this process.
    const takeDue = store.takeDue.bind(store)
    vi.spyOn(store, 'takeDue').mockImplementation(async (...parameters) => {
      const due = await takeDue(...parameters)
      aheadMs = 60_000
      return due
    })
    await vi.waitUntil(() => aheadMs > 0, { timeout: 5000 })
    // This time is longer than the interval of claims and the interval of checks for due renewals.
    await setTimeout(1500)
    dispatcher.operationChanged(`${id}_1`)
    const pollCount = driver.polledOperations.length
    await untilPolled(pollCount + 1)
    expect(driver.cancelledOperations).toEqual([])
    expect(driver.startedAttemptIds).toHaveLength(1)
    expect(await claimEmbedded(store, 5, 1000)).toEqual([])
    const [row] = await store.database.selectFrom('tasks').select('lease_fence').execute()
    expect(row?.lease_fence, 'the lease was renewed, not claimed anew').toBe(1)
    await store.cancel(id)
    await vi.waitUntil(() => driver.cancelledOperations.length === 1, { timeout: 10_000 })
  })

  it('the lease of a running task is renewed after the clock was set back by an hour', async () => {
    let aheadMs = 3_600_000
    dispatcher = newDispatcher(() => Date.now() + aheadMs)
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => store.peek(id)?.progress === 30, { timeout: 5_000 })
    aheadMs = 0
    const renew = vi.spyOn(store, 'renew')
    await vi.waitUntil(() => renew.mock.calls.length > 0, { timeout: 5_000 })
    await store.cancel(id)
  })

  it('queued tasks are run after the clock was set back by an hour', async () => {
    let setBackMs = 0
    dispatcher = newDispatcher(() => Date.now() - setBackMs)
    dispatcher.start()
    expect(await untilEnded((await submit()).id)).toMatchObject({ status: 'completed' })
    setBackMs = 3_600_000
    expect(await untilEnded((await submit()).id)).toMatchObject({ status: 'completed' })
  })

  it('a dispatcher completes a task that it claims again after losing the lease', async () => {
    driver.poll = stillRunning
    dispatcher.start()
    const { id } = await submit()
    await vi.waitUntil(() => store.peek(id)?.progress === 30, { timeout: 5000 })
    // Simulates a claim that was committed before the renewal.
    const [claimedRow] = await store.database.selectFrom('tasks').select('lease_fence').execute()
    await store.database.updateTable('tasks').set({ due_at: 0 }).execute()
    await vi.waitUntil(
      async () => {
        const [row] = await store.database.selectFrom('tasks').select('lease_fence').execute()
        return (row?.lease_fence ?? 0) > (claimedRow?.lease_fence ?? 0)
      },
      { timeout: 10_000 },
    )
    const pollCount = driver.polledOperations.length
    await untilPolled(pollCount + 2)
    expect(driver.cancelledOperations).toEqual([])
    driver.poll = async () => ({ state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: null }] })
    dispatcher.operationChanged(`${id}_1`)
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
    await dispatcher.drain(2000)
    expect(driver.startedAttemptIds).toHaveLength(1)
    expect(await claimEmbedded(store, 5, 1000)).toEqual([])
  })

  it('tasks that are claimed while the dispatcher closes are not started', async () => {
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>()
    const claim = store.claim.bind(store)
    store.claim = async (...request) => {
      const claims = await claim(...request)
      if (claims.length > 0) await responded
      return claims
    }
    const { id } = await submit()
    dispatcher.start()
    await vi.waitUntil(() => store.peek(id)?.status === 'processing', { timeout: 10_000 })
    const closed = dispatcher[Symbol.asyncDispose]()
    respond()
    await closed
    expect(driver.startedAttemptIds).toEqual([])
    store.claim = claim
    expect(await claimEmbedded(store, 1, 1000)).toHaveLength(1)
  })

  it('a driver that stops because the dispatcher closes does not fail the task', async () => {
    driver.poll = async (operation, _job, signal) => {
      driver.polledOperations.push(operation)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { state: 'failed', code: 'cancelled', reason: 'stopped', retryable: false }
    }
    dispatcher.start()
    const { id } = await submit()
    await untilPolled()
    await dispatcher[Symbol.asyncDispose]()
    expect(store.peek(id)).toMatchObject({ status: 'processing' })
  })

  it(
    'a closing dispatcher does not wait for the lookup of a start whose reply was lost, and the next dispatcher finds the job',
    { timeout: 15_000 },
    async () => {
      const lookedUpAttemptIds: string[] = []
      const paidDriver = driver as Driver & ScriptedDriver
      paidDriver.isStartIdempotent = false
      paidDriver.start = async (request) => {
        paidDriver.startedAttemptIds.push(request.attemptId)
        throw new Error('the connection broke')
      }
      paidDriver.find = async ({ attemptId }) => {
        lookedUpAttemptIds.push(attemptId)
        return { upstream: attemptId }
      }
      dispatcher.start()
      const { id } = await submit()
      await vi.waitUntil(() => paidDriver.startedAttemptIds.length === 1, { timeout: 10_000 })
      await dispatcher[Symbol.asyncDispose]()
      expect([lookedUpAttemptIds, store.peek(id)?.status]).toEqual([[], 'processing'])

      dispatcher = newDispatcher(systemClock, [10])
      dispatcher.start()
      expect(await untilEnded(id)).toMatchObject({ status: 'completed' })
      expect([paidDriver.startedAttemptIds, lookedUpAttemptIds]).toEqual([[`${id}_1`], [`${id}_1`]])
    },
  )

  it('a paid attempt is never started again when it is unknown whether it was accepted', async () => {
    driver.isStartIdempotent = false
    const { id } = await submit()
    const [claim] = await claimEmbedded(store, 1, 1000)
    await store.release(claim ? [claim] : [])
    dispatcher.start()
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'lost_upstream', chargedMicroCredits: 0 })
    expect(driver.startedAttemptIds).toEqual([])
  })

  it('a task fails if its model was removed from the catalogue', async () => {
    dispatcher.start()
    const { id } = await submit('gone')
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_failed' })
  })
})
