import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreClosed, StoreUnavailable } from '../db/store-unavailable.ts'
import type { SqliteStore } from '../db/sqlite/sqlite-store.ts'
import { openFastStore } from '../../test/fast-store.ts'
import { claimedImagesBytesMax, type AttemptEnding, type Claim, type RouteGrant } from '../db/task-queue.ts'
import { leaseMs, newAccount, newTask, resultOf, startMs } from '../db/store-under-test.ts'
import {
  DriverRefusal,
  NotAccepted,
  OutputUnavailable,
  type Driver,
  type DriverOutput,
  type GenerationRequest,
  type Operation,
  type PollOutcome,
  type StartContext,
} from '../drivers/driver.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskIds, taskNoOf } from '../identity/task-id.ts'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import { RouteConnection } from '../routing/connection.ts'
import { PollRateLimiter } from '../routing/poll-rate-limiter.ts'
import { noTelemetry } from '../telemetry/telemetry.ts'
import { productWatermark } from '../watermark/watermark-design.ts'
import { UnusableResult, type Collector } from './collect-result.ts'
import type { ModelFacts } from './model-facts.ts'
import { RunningTask } from './running-task.ts'
import { createUnresolvedAttempts } from './unresolved-attempts.ts'
import { InputMemory } from './input-memory.ts'
import { processTask } from './process-task.ts'
import type { TaskDependencies } from './task-dependencies.ts'

const lane = 7
const pools = { upstream: 1, route: 2 }
const route: RouteGrant = {
  route: 'main',
  snapshotNo: 5,
  limit: 10,
  deadlineMs: null,
  pools: { route: { pool: pools.route, inFlightMax: 100 }, upstream: { pool: pools.upstream, inFlightMax: 100 } },
}
const collectsNothing = { startThumbnails: () => {}, discard: async () => {}, release: async () => {} }
const facts: ModelFacts = {
  size: () => ({ width: 64, height: 32 }),
  resultsMax: () => 1,
  charge: () => 1,
  hold: () => 1,
  promptCharactersMax: 5_000,
  deadlineMs: 60_000,
}

/** All tests share this folder and the store in it. Each test uses its own task. */
let dataDir: string
let store: SqliteStore
let accountNo: number
let dependencies: TaskDependencies
let nowMs: number
let id: string
/** Ids of the attempts whose submit was sent. */
let sentAttemptIds: string[]
/** Runs in the driver before it calls `beforeSubmit`. */
let prepare: () => Promise<void>
/** The driver's look-up of a job. Null if jobs cannot be looked up. */
let find: (() => Promise<Operation | null>) | null
/** Whether `find` sends the submit again. */
let findsBySubmitting: boolean
/** Runs in the driver after its submit was sent. */
let respond: () => Promise<Operation>
let poll: () => Promise<PollOutcome>
/** Limiter of the upstream's polls. Null if polls are not limited, as with the embedded driver. */
let pollLimiter: PollRateLimiter | null

const clock = () => nowMs
const cost = { perSecond: 0.1, perImage: 0, perTask: 0.02, perUnit: 3 }
const nextId = createTaskIds(() => Date.now())

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-work-'))
  nowMs = startMs
  store = await openFastStore({ dataDir, clock })
  accountNo = await newAccount(store, 'a', 10_000)
  for (const kind of ['upstream', 'route'] as const) {
    const pool = { no: pools[kind], kind, name: kind, target: kind, unconfirmed_max: null }
    await store.database.insertInto('slot_pools').values(pool).execute()
  }
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  sentAttemptIds = []
  find = null
  findsBySubmitting = false
  prepare = async () => {}
  respond = async () => ({ id: 'job-1' })
  poll = async () => ({ state: 'failed', code: 'content_policy', reason: 'No.', retryable: false })
  pollLimiter = null
  const driver: Driver = {
    name: 'scripted',
    isStartIdempotent: false,
    async start({ attemptId }: GenerationRequest, context: StartContext) {
      await prepare()
      await context.beforeSubmit()
      sentAttemptIds.push(attemptId)
      return respond()
    },
    poll: () => poll(),
    fetchOutput: () => Promise.reject(new Error('there is no output')),
    async [Symbol.asyncDispose]() {},
  }
  Object.defineProperty(driver, 'find', { get: () => find ?? undefined })
  Object.defineProperty(driver, 'findsBySubmitting', { get: () => findsBySubmitting || undefined })
  const connection = new RouteConnection(route.snapshotNo, route.route, 'key', driver, cost)
  dependencies = {
    store,
    routes: {
      connection: () => connection,
      connect: async () => connection,
      pollLimiterOf: () => pollLimiter,
      placeAfterRefusal: () => null,
      byPriority: () => [],
      accepts: () => true,
      health: {
        recordAccepted: async () => {},
        recordRefused: async () => {},
        recordNoResponse: async () => {},
        recordRouteRefused: async () => {},
        remainingPauseMs: () => 0,
      },
    },
    unresolved: createUnresolvedAttempts(store.database, clock),
    findModelFacts: () => facts,
    collector: { ...collectsNothing, collect: () => Promise.reject(new Error('nothing is collected')) },
    inputMemoryOf: () => new InputMemory(),
    telemetry: noTelemetry,
    clock,
    logger: createLogger('silent'),
    findDelaysMs: [],
  }
  id = nextId()
  await store.accept(newTask({ id, accountNo, lane }))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await store.cancel(id)
})

/** Claims the task on the route, or resumes its open attempt. */
async function claim(): Promise<Claim> {
  const { claims } = await store.takeDue(leaseMs, 10)
  const [claimed] = claims.length > 0 ? claims : await store.claim([{ lane, routes: [route] }], leaseMs)
  if (claimed === undefined) throw new Error('nothing was claimed')
  return claimed
}

async function work(running?: RunningTask): Promise<void> {
  await processTask(running ?? new RunningTask(await claim(), nowMs), dependencies)
}

/** Advances the clock by this time during the commit of `beginAttempt`, then runs `andThen`. */
function delayBeginAttempt(ms: number, andThen: () => Promise<void> = async () => {}): void {
  const beginAttempt = store.beginAttempt.bind(store)
  vi.spyOn(store, 'beginAttempt').mockImplementation(async (...lease) => {
    const outcome = await beginAttempt(...lease)
    nowMs += ms
    await andThen()
    return outcome
  })
}

/**
 * Makes the next calls of a method fail. With `isWritten`, the method commits the write, and only
 * its result is lost.
 */
function failCalls(
  method: 'beginAttempt' | 'recordOperation' | 'requeue' | 'fail',
  failureCount: number,
  isWritten = false,
): void {
  const call = store[method].bind(store) as (...args: unknown[]) => Promise<unknown>
  let callCount = 0
  vi.spyOn(store, method).mockImplementation(async (...args: unknown[]) => {
    if (callCount++ >= failureCount) return (await call(...args)) as never
    if (isWritten) await call(...args)
    throw new StoreUnavailable()
  })
}

/**
 * Claims and begins the attempt, records `operation` if it is not null, and releases the claim,
 * like a worker that closes.
 */
async function leaveAttempt(operation: string | null): Promise<void> {
  const lease = await claim()
  await store.beginAttempt(lease, 1)
  if (operation !== null) await store.recordOperation(lease, 1, operation)
  await store.release([lease])
}

async function mayHaveFiles(): Promise<boolean> {
  return new RunningTask(await claim(), nowMs).mayHaveFiles
}

async function listAttempts() {
  const rows = store.database.selectFrom('task_attempts').select(['state', 'reason', 'detail', 'unresolved', 'holds_slot'])
  return rows.where('task_no', '=', taskNoOf(id)).orderBy('number').execute()
}

async function listOperations() {
  const rows = await store.database.selectFrom('task_attempts').select('operation').where('task_no', '=', taskNoOf(id)).execute()
  return rows.map(({ operation }) => operation)
}

async function dueInMs(): Promise<number> {
  const row = store.database.selectFrom('tasks').select('due_at').where('no', '=', taskNoOf(id))
  return Number((await row.executeTakeFirstOrThrow()).due_at) - nowMs
}

describe('an attempt that was not sent', () => {
  it('an error before the submit withdraws the attempt, and the task is due again a second later', async () => {
    prepare = async () => {
      throw new Error('EIO: the image cannot be read')
    }
    await work()
    expect([sentAttemptIds, (await store.find(id))?.status, await dueInMs()]).toEqual([[], 'queued', 1_000])
    expect(await listAttempts()).toEqual([
      {
        state: 'not_accepted',
        reason: 'The request was not sent.',
        detail: 'EIO: the image cannot be read',
        unresolved: null,
        holds_slot: 0,
      },
    ])
    prepare = async () => {}
    nowMs += 1_000
    await work()
    expect(sentAttemptIds).toEqual([`${id}_2`])
  })

  it('an attempt is not sent when its lease expires while its start is committed', async () => {
    delayBeginAttempt(leaseMs)
    await work()
    expect([sentAttemptIds, (await store.find(id))?.status, await dueInMs()]).toEqual([[], 'queued', 0])
    expect(await listAttempts()).toMatchObject([{ state: 'not_accepted', detail: null, unresolved: null, holds_slot: 0 }])
  })

  it('an attempt whose lease another worker has taken is not sent and stays with that worker', async () => {
    let otherClaim: Claim | undefined
    delayBeginAttempt(leaseMs, async () => {
      otherClaim = await claim()
    })
    await work()
    expect(sentAttemptIds).toEqual([])
    expect(otherClaim?.attempt).toMatchObject({ number: 1, state: 'starting', resumed: true })
    expect(await listAttempts()).toMatchObject([{ state: 'starting', holds_slot: 1 }])
  })

  it('an attempt is sent if its lease is valid', async () => {
    delayBeginAttempt(leaseMs - 1)
    await work()
    expect(sentAttemptIds).toEqual([`${id}_1`])
  })
})

describe('an attempt while the database is unavailable', () => {
  it.each([
    ['fails', false],
    ['is committed but reported as failed', true],
  ])('the operation of an attempt is recorded if its first write %s, and the task continues', async (_what, isWritten) => {
    failCalls('recordOperation', 1, isWritten)
    await work()
    expect(await store.find(id)).toMatchObject({ errorCode: 'content_policy' })
    expect(await listOperations()).toEqual(['{"id":"job-1"}'])
  })

  it.each([
    ['succeeds', 0],
    ['fails at first', 1],
  ])(
    'if the withdrawal %s, an attempt whose beginning may have been committed is not sent, but the next attempt is',
    async (_what, failures) => {
      failCalls('beginAttempt', 1, true)
      failCalls('requeue', failures)
      await work()
      expect([sentAttemptIds, await listAttempts()]).toMatchObject([
        [],
        [{ state: 'not_accepted', unresolved: null, holds_slot: 0 }],
      ])
      nowMs += 1_000
      await work()
      expect(sentAttemptIds).toEqual([`${id}_2`])
    },
  )

  it('an attempt whose beginning may have been committed is withdrawn at a shutdown', async () => {
    const running = new RunningTask(await claim(), nowMs)
    const beginAttempt = store.beginAttempt.bind(store)
    vi.spyOn(store, 'beginAttempt').mockImplementation(async (...lease) => {
      await beginAttempt(...lease)
      running.stop('closing')
      throw new StoreUnavailable()
    })
    await work(running)
    expect([sentAttemptIds, await listAttempts()]).toMatchObject([
      [],
      [{ state: 'not_accepted', unresolved: null, holds_slot: 0 }],
    ])
  })

  it.each(['throttled', 'unsuitable'] as const)(
    'the refusal of a submit as %s is recorded although the first write fails',
    async (reason) => {
      dependencies.routes.placeAfterRefusal = () => lane + 1
      respond = async () => {
        throw new NotAccepted(reason, 'refused')
      }
      failCalls('requeue', 1)
      await work()
      expect(await listAttempts()).toMatchObject([{ state: 'not_accepted', unresolved: null, holds_slot: 0 }])
    },
  )

  it('a store that is closed at the deadline of an unfinished submit causes no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const recordUnhandled = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', recordUnhandled)
    const running = new RunningTask(await claim(), nowMs)
    vi.spyOn(store, 'fail').mockRejectedValue(new StoreClosed('the database is closed'))
    respond = async () => {
      running.stop('deadline')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { id: 'job-1' }
    }
    await work(running).catch(() => undefined)
    process.off('unhandledRejection', recordUnhandled)
    expect(unhandled).toEqual([])
    expect(await listOperations()).toEqual(['{"id":"job-1"}'])
  })

  it('a job with an id of a million characters is given up, and its id is not stored', async () => {
    respond = async () => ({ id: 'x'.repeat(1_000_000) })
    await work()
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
    const detail = 'the operation of the job has more than 262144 characters'
    expect(await listAttempts()).toMatchObject([{ state: 'failed', unresolved: 'lost_reply', detail, holds_slot: 0 }])
    expect(await listOperations()).toEqual([null])
  })

  it('a task whose content was refused fails as content_policy although the first write fails', async () => {
    respond = async () => {
      throw new DriverRefusal('content_policy', 'No.')
    }
    failCalls('fail', 1)
    await work()
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'content_policy' })
    expect(await listAttempts()).toMatchObject([{ state: 'failed', unresolved: null, holds_slot: 0 }])
  })
})

describe('a resumed attempt whose submit received no response, while other attempts use the memory for files', () => {
  beforeEach(async () => {
    await store.cancel(id)
    id = nextId()
    const image = `data:image/png;base64,${'A'.repeat(claimedImagesBytesMax)}`
    const parameters = '{"prompt":"x","image":{"content_type":"image/png","size_bytes":3072}}'
    await store.accept(newTask({ id, accountNo, lane, parameters, images: JSON.stringify({ image }) }))
    await leaveAttempt(null)
    const memory = new InputMemory(1)
    await memory.acquire({ accountNo, bytes: 1 }, new AbortController().signal)
    dependencies.inputMemoryOf = () => memory
  })

  it('its job is looked up without its files', async () => {
    find = async () => ({ id: 'job-1' })
    dependencies.findDelaysMs = [0]
    await work()
    expect(await store.find(id)).toMatchObject({ errorCode: 'content_policy' })
  })

  it('it is lost if the upstream has no look-up', async () => {
    await work()
    expect(await store.find(id)).toMatchObject({ errorCode: 'lost_upstream' })
  })

  it('its task ends at its deadline if a look-up needs its files', async () => {
    find = () => Promise.reject(new Error('must not be looked up'))
    findsBySubmitting = true
    nowMs += facts.deadlineMs
    await work()
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_timeout' })
    expect(await listAttempts()).toMatchObject([{ state: 'failed', unresolved: 'lost_reply', holds_slot: 0 }])
  })
})

it('a task whose deadline passes before the look-up of its job fails with upstream_timeout', async () => {
  await store.cancel(id)
  id = nextId()
  await store.accept(newTask({ id, accountNo, lane, parameters: '{"prompt":"x","watermark":true}' }))
  await leaveAttempt(null)
  dependencies.findWatermarkDesign = async () => {
    await sleep(50)
    return productWatermark
  }
  find = () => Promise.resolve(null)
  findsBySubmitting = true
  dependencies.findDelaysMs = [0, 0]
  nowMs += facts.deadlineMs
  await work()
  expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_timeout' })
})

describe('a task that fails while a job of it may run upstream', () => {
  it.each([
    ['whose job is known', '{"id":"job-1"}', { unresolved: 'overdue', holds_slot: 1 }],
    ['whose job is not known', null, { unresolved: 'lost_reply', holds_slot: 0 }],
  ])('a resumed attempt %s becomes unresolved when its model is no longer offered', async (_what, operation, expectedColumns) => {
    await leaveAttempt(operation)
    dependencies.findModelFacts = () => undefined
    await work()
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_failed' })
    expect(await listAttempts()).toMatchObject([{ state: 'failed', ...expectedColumns }])
  })

  it('a resumed attempt becomes unresolved when it was interrupted too often', async () => {
    await leaveAttempt('{"id":"job-1"}')
    for (let interruptions = 0; interruptions < 100; interruptions++) await store.release([await claim()])
    await work()
    expect(await store.find(id)).toMatchObject({
      status: 'failed',
      errorMessage: 'The generation was interrupted more than 100 times.',
    })
    expect(await listAttempts()).toMatchObject([{ unresolved: 'overdue', holds_slot: 1 }])
  })

  it('claims that were released before anything was sent do not count as interruptions', async () => {
    for (let claims = 0; claims < 101; claims++) await store.release([await claim()])
    await leaveAttempt('{"id":"job-1"}')
    await work()
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'content_policy' })
  })

  it('an attempt that was only assigned does not become unresolved when its model is no longer offered', async () => {
    dependencies.findModelFacts = () => undefined
    await work()
    expect(await listAttempts()).toMatchObject([{ state: 'not_accepted', unresolved: null, holds_slot: 0 }])
  })
})

describe('a task that is cancelled while its job runs upstream', () => {
  let running: RunningTask
  let pollCount: number

  /** Claims the task and cancels it during its first poll. Later polls return `response`. */
  async function cancelDuringPoll(response: () => Promise<PollOutcome>, andThen: () => void = () => {}): Promise<void> {
    running = new RunningTask(await claim(), nowMs)
    pollCount = 0
    poll = async () => {
      if (pollCount++ > 0) return response()
      await store.cancel(id)
      running.stop('ended')
      andThen()
      return { state: 'running' }
    }
  }

  it('a Retry-After in the response to the poll after a cancel pauses all polls of the upstream', async () => {
    pollLimiter = new PollRateLimiter(1_000)
    await cancelDuringPoll(() => Promise.reject(new UpstreamThrottled('HTTP 429', 20_000)))
    await work(running)
    expect([pollCount, pollLimiter.isPaused]).toEqual([2, true])
    expect(await listAttempts()).toMatchObject([{ holds_slot: 1 }])
  })

  it('the poll after the cancel respects the request rate of the upstream and frees the slot', async () => {
    pollLimiter = new PollRateLimiter(1_000)
    await cancelDuringPoll(async () => ({ state: 'failed', code: 'upstream_failed', reason: 'Cancelled.', retryable: false }))
    const acquireSpy = vi.spyOn(pollLimiter, 'acquire')
    await work(running)
    expect([pollCount, acquireSpy.mock.calls.length]).toEqual([2, 2])
    expect(await listAttempts()).toMatchObject([{ holds_slot: 0 }])
  })

  it('a shutdown does not wait until the request rate of the upstream permits the poll after a cancel', async () => {
    const slowLimiter = new PollRateLimiter(1_000)
    pollLimiter = slowLimiter
    await cancelDuringPoll(
      () => Promise.reject(new Error('not polled')),
      () => (slowLimiter.perSecondMax = 0.000_1),
    )
    const working = work(running)
    await vi.waitUntil(() => running.stopReason === 'ended', { timeout: 10_000 })
    running.stop('closing')
    await working
    expect(pollCount).toBe(1)
  })
})

describe('stored files of a task', () => {
  const crashed: AttemptEnding = { state: 'failed', reason: 'It crashed.', detail: null }
  const throttled: AttemptEnding = { state: 'not_accepted', reason: 'The upstream was at capacity.', detail: null }

  it('a task has no stored file before its first attempt, or if no upstream accepted an attempt', async () => {
    const firstClaim = await claim()
    expect(new RunningTask(firstClaim, nowMs).mayHaveFiles).toBe(false)
    await store.requeue(firstClaim, throttled, nowMs)
    expect(await mayHaveFiles()).toBe(false)
  })

  it('an attempt that an upstream refused as unavailable cannot have stored a file', async () => {
    respond = async () => {
      throw new NotAccepted('unavailable', 'HTTP 404, model_not_found')
    }
    await work()
    const nextClaim = await claim()
    expect([nextClaim.attempt.failedBefore, new RunningTask(nextClaim, nowMs).mayHaveFiles]).toEqual([0, false])
  })

  it('a file may have been stored by a failed attempt or by a resumed one', async () => {
    const firstClaim = await claim()
    await store.beginAttempt(firstClaim, 1)
    await store.requeue(firstClaim, crashed, nowMs)
    const secondClaim = await claim()
    expect(new RunningTask(secondClaim, nowMs).mayHaveFiles).toBe(true)
    await store.beginAttempt(secondClaim, 2)
    await store.release([secondClaim])
    expect(await mayHaveFiles()).toBe(true)
  })
})

describe('a task that was released from hold', () => {
  beforeEach(async () => {
    await store.database.updateTable('tasks').set({ held: 2 }).where('no', '=', taskNoOf(id)).execute()
  })

  it('a task released from hold is not submitted when the upstream has the job of its attempt', async () => {
    find = async () => ({ id: 'job-of-the-original' })
    await work()
    expect(sentAttemptIds).toEqual([])
    const attempts = store.database.selectFrom('task_attempts').select(['state', 'operation']).where('task_no', '=', taskNoOf(id))
    expect(await attempts.execute()).toEqual([{ state: 'failed', operation: '{"id":"job-of-the-original"}' }])
    expect(await store.find(id)).toMatchObject({ errorCode: 'content_policy' })
  })

  it('a job with an id of a megabyte is also given up if it was found at the upstream, and its id is not stored', async () => {
    find = async () => ({ id: 'x'.repeat(1_000_000) })
    await work()
    expect(sentAttemptIds).toEqual([])
    expect(await store.find(id)).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
    const attempts = store.database.selectFrom('task_attempts').select('operation').where('task_no', '=', taskNoOf(id))
    expect(await attempts.execute()).toEqual([{ operation: null }])
  })

  it('a task released from hold is submitted when the upstream has no such job', async () => {
    find = async () => null
    await work()
    expect(sentAttemptIds).toEqual([`${id}_1`])
  })

  it('a task released from hold is submitted when three lookups of its job have failed', async () => {
    let findCount = 0
    find = () => Promise.reject(new Error(`cannot tell, ${++findCount}`))
    await work()
    expect([findCount, sentAttemptIds]).toEqual([3, [`${id}_1`]])
  })

  it('a task released from hold is not submitted while the upstream throttles the lookup of its job', async () => {
    find = () => Promise.reject(new NotAccepted('throttled', 'HTTP 429'))
    await work()
    expect(sentAttemptIds).toEqual([])
    expect(await store.find(id)).toMatchObject({ status: 'queued' })
  })

  it('a task released from hold is not submitted when it is cancelled during the lookup of its job', async () => {
    const running = new RunningTask(await claim(), nowMs)
    find = async () => {
      await store.cancel(id)
      running.stop('ended')
      throw new Error('aborted')
    }
    await work(running)
    expect(sentAttemptIds).toEqual([])
  })
})

describe('the cost of a job', () => {
  const result = { ...resultOf({ id: 'task_x' }), durationMs: 4_000 }
  const outputs: [DriverOutput] = [{ contentType: 'video/mp4', location: null }]

  it.each<[string, PollOutcome, number | null]>([
    [
      'is computed from the cost settings of its route',
      { state: 'succeeded', outputs, cost: { amount: 0.5, unit: 'usd' } },
      1_920_000,
    ],
    ['is unknown if the upstream does not report the amount that the route needs', { state: 'succeeded', outputs }, null],
    ['is zero after a failure', { state: 'failed', code: 'content_policy', reason: 'No.', retryable: false }, 0],
    [
      'is the cost that the upstream reports with a failure',
      { state: 'failed', code: 'content_policy', reason: 'No.', retryable: false, cost: { amount: 2, unit: 'usd' } },
      6_000_000,
    ],
  ])('the cost of a job %s', async (_, outcome, paid) => {
    poll = async () => outcome
    const paidAttempts: unknown[] = []
    dependencies = {
      ...dependencies,
      collector: { ...collectsNothing, collect: async () => result },
      telemetry: { ...noTelemetry, attemptPaid: (attempt) => paidAttempts.push(attempt) },
    }
    const readCosts = async () => {
      const { fn } = store.database
      const sum = (name: 'cost' | 'cost_unknown') => fn.sum<number | null>(name).as(name)
      return store.database
        .selectFrom('usage')
        .select([sum('cost'), sum('cost_unknown')])
        .executeTakeFirstOrThrow()
    }
    const costsBefore = await readCosts()
    await work()
    const attempt = store.database.selectFrom('task_attempts').select('paid').where('task_no', '=', taskNoOf(id))
    expect(await attempt.execute()).toEqual([{ paid }])
    const costsAfter = await readCosts()
    expect([
      (costsAfter.cost ?? 0) - (costsBefore.cost ?? 0),
      (costsAfter.cost_unknown ?? 0) - (costsBefore.cost_unknown ?? 0),
    ]).toEqual([paid ?? 0, paid === null ? 1 : 0])
    expect(paidAttempts).toEqual([{ model: 'a model', route: route.route, microCredits: paid }])
  })
})

it('polls between the downloads of a result respect a pause that the upstream requests', async () => {
  vi.spyOn(RunningTask.prototype, 'pauseIgnoringWake').mockResolvedValue()
  pollLimiter = new PollRateLimiter(1_000)
  let pollCount = 0
  poll = async () => {
    if (++pollCount === 2) throw new UpstreamThrottled('HTTP 429', 60_000)
    return { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: null }] }
  }
  const collect = vi.fn<Collector['collect']>(() => Promise.reject(new UnusableResult(new OutputUnavailable('HTTP 503'))))
  dependencies.collector = { ...collectsNothing, collect }
  await work()
  expect(collect).toHaveBeenCalledTimes(3)
  expect([pollCount, pollLimiter.isPaused]).toEqual([2, true])
})
