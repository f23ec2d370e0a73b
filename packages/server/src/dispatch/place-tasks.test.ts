import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SqliteStore } from '../db/sqlite/sqlite-store.ts'
import { openFastStore } from '../../test/fast-store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, startMs } from '../db/store-under-test.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskIds, taskNoOf } from '../identity/task-id.ts'
import { placeTasks, type PlaceTasksDependencies } from './place-tasks.ts'

const graceMs = 30_000
/** Interval at which a dispatcher retries the placement of tasks that could not be placed. */
const placeIntervalMs = 1_000
const [oldLane, newLane] = [20, 30]

let dataDir: string
let store: SqliteStore
let nowMs: number
let accountNo: number
let nextId: () => string
let dependencies: PlaceTasksDependencies
/** Ids of the tasks whose end was reported to telemetry. */
let reportedIds: string[]
/** Lanes of tasks by prompt. No route can serve a task with any other prompt. */
let laneByPrompt: Record<string, number>

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-placing-'))
  nowMs = startMs
  laneByPrompt = {}
  reportedIds = []
  const clock = () => nowMs
  nextId = createTaskIds(clock)
  store = await openFastStore({ dataDir, clock })
  accountNo = await newAccount(store, 'a', 1_000)
  dependencies = {
    store,
    routes: {
      placeAccepted(_model, { parameters }) {
        const lane = laneByPrompt[parameters.prompt ?? '']
        return lane === undefined ? { refusal: { parameter: 'seed', message: 'no route takes a seed' } } : { lane }
      },
      simulationLane: 1,
      embeddedLane: (model) => (model === 'replaced and embedded' ? newLane : null),
    },
    findModelFacts: (model) =>
      model === 'gone'
        ? undefined
        : {
            size: () => ({ width: 64, height: 32 }),
            resultsMax: () => 1,
            charge: () => 1,
            hold: () => 1,
            promptCharactersMax: 5_000,
            deadlineMs: 1_000,
            ...(model.startsWith('replaced') && { replacementKind: 'image' }),
          },
    telemetry: { taskEnded: ({ id }) => void reportedIds.push(id) },
    clock,
    logger: createLogger('silent'),
    unplaceable: new Map(),
  }
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

async function submit(prompt: string, model = 'a model'): Promise<string> {
  const id = nextId()
  await store.accept(newTask({ id, accountNo, model, lane: oldLane, parameters: JSON.stringify({ prompt }) }))
  await store.takeDue(leaseMs, 100)
  return id
}

/** Accepts tasks that no route can serve, and moves them into their lane. */
async function acceptUnplaceable(count: number): Promise<void> {
  const parameters = JSON.stringify({ prompt: 'blocked' })
  await Promise.all(
    Array.from({ length: count }, () =>
      store.accept(newTask({ id: nextId(), accountNo, lane: oldLane, parameters, priceMicroCredits: 0 })),
    ),
  )
  for (let leasedCount = 0; leasedCount <= count; leasedCount += 500) await store.takeDue(leaseMs, 1)
}

function placeLanes(lanes = [oldLane]): Promise<void> {
  return placeTasks(lanes, dependencies, new AbortController().signal)
}

/** Places the waiting tasks repeatedly for `ms`, at the interval of a dispatcher. */
async function placeRepeatedly(ms: number): Promise<void> {
  for (const untilMs = nowMs + ms; nowMs < untilMs;) {
    await placeLanes()
    nowMs = Math.min(untilMs, nowMs + placeIntervalMs)
  }
  await placeLanes()
}

async function laneOf(id: string): Promise<number | undefined> {
  return (await store.query.selectFrom('tasks').select('lane').where('no', '=', taskNoOf(id)).executeTakeFirst())?.lane
}

const find = (id: string): Promise<TaskRecord | undefined> => store.find(id)

describe('waiting tasks of a lane that no current route serves', () => {
  it('waiting tasks are moved to the lanes of routes that can serve them, and can be claimed there', async () => {
    const [firstId, secondId] = [await submit('first'), await submit('second')]
    Object.assign(laneByPrompt, { first: newLane, second: newLane + 1 })
    await placeLanes()
    expect([await laneOf(firstId), await laneOf(secondId)]).toEqual([newLane, newLane + 1])
    const claims = await claimEmbedded(store, 2, leaseMs)
    expect(claims.map(({ id }) => id).toSorted()).toEqual([firstId, secondId].toSorted())
  })

  it('a task whose model was replaced by one of another kind fails, unless the embedded driver serves the model', async () => {
    Object.assign(laneByPrompt, { first: newLane, second: newLane })
    const [failedId, renderedId] = [await submit('first', 'replaced'), await submit('second', 'replaced and embedded')]
    await placeRepeatedly(graceMs)
    expect(await find(failedId)).toMatchObject({
      status: 'failed',
      errorCode: 'invalid_input',
      errorMessage: 'The model was replaced by one of the kind image.',
      chargedMicroCredits: 0,
    })
    expect([(await find(renderedId))?.status, await laneOf(renderedId)]).toEqual(['queued', newLane])
  })

  it('a task that no configured route can serve fails as invalid_input after 30 seconds, not before', async () => {
    const id = await submit('with a seed')
    await placeRepeatedly(graceMs - 1)
    expect(await find(id)).toMatchObject({ status: 'queued', errorCode: null })
    nowMs += 1
    await placeLanes()
    expect(await find(id)).toMatchObject({
      status: 'failed',
      errorCode: 'invalid_input',
      errorMessage: 'no route takes a seed.',
      chargedMicroCredits: 0,
    })
    expect(reportedIds).toEqual([id])
    expect(dependencies.unplaceable.size).toBe(0)
  })

  it('a task that a route can serve again within 30 seconds is placed', async () => {
    const id = await submit('with a seed')
    await placeRepeatedly(graceMs - 1)
    laneByPrompt['with a seed'] = newLane
    nowMs += 1
    await placeLanes()
    expect([await laneOf(id), (await find(id))?.status]).toEqual([newLane, 'queued'])
  })

  it('the 30 seconds of a task without a route begin again if a route could serve it in between', async () => {
    const id = await submit('with a seed')
    await placeLanes()
    // The routes of the task are in use again but busy, so the task waits in its lane.
    laneByPrompt['with a seed'] = oldLane
    nowMs += 10 * graceMs
    await placeLanes()
    delete laneByPrompt['with a seed']
    await placeRepeatedly(graceMs - 1)
    expect(await find(id)).toMatchObject({ status: 'queued', errorCode: null })
    nowMs += 1
    await placeLanes()
    expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'invalid_input' })
  })

  it('a task is placed although a thousand earlier tasks cannot be placed', async () => {
    await acceptUnplaceable(1_000)
    const id = await submit('behind them')
    laneByPrompt['behind them'] = newLane
    await placeLanes()
    expect(await laneOf(id)).toBe(newLane)
  })

  it('the 30 seconds of a task without a route begin again in a lane to which the task was moved', async () => {
    const id = await submit('with a seed')
    await placeRepeatedly(graceMs - 2_000)
    laneByPrompt['with a seed'] = newLane
    await placeLanes()
    await store.takeDue(leaseMs, 100)
    delete laneByPrompt['with a seed']
    nowMs += 2_000
    await placeLanes([newLane])
    expect(await find(id)).toMatchObject({ status: 'queued' })
  })

  it('tasks that were cancelled, or whose lane is served again, are no longer tracked as unplaceable', async () => {
    const [cancelledId, secondId] = [await submit('with a seed'), await submit('another')]
    await placeLanes()
    expect([...dependencies.unplaceable.keys()].toSorted()).toEqual([cancelledId, secondId].toSorted())
    await store.cancel(cancelledId)
    nowMs += graceMs - 1
    await placeLanes()
    nowMs += 1
    await placeLanes()
    expect([...dependencies.unplaceable.keys()]).toEqual([])
    expect(await find(secondId)).toMatchObject({ status: 'failed' })
    const resubmittedId = await submit('another')
    await placeLanes()
    laneByPrompt['another'] = oldLane
    nowMs += graceMs
    await placeLanes()
    expect([await laneOf(resubmittedId), dependencies.unplaceable.size]).toEqual([oldLane, 0])
  })

  it('a task whose model is no longer offered fails immediately', async () => {
    const id = await submit('any', 'gone')
    await placeLanes()
    expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'upstream_failed' })
    expect(reportedIds).toEqual([id])
  })
})
