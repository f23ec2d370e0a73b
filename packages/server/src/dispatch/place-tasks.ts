import type { Simulation, TaskObject } from '@framegate/contract'
import type { Store } from '../db/store.ts'
import type { Failure, LaneMove } from '../db/task-queue.ts'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { taskIdOf } from '../identity/task-id.ts'
import type { Routes } from '../routing/routes.ts'
import { readImages } from '../db/read-inputs.ts'
import { readParameters } from '../tasks/parameters-text.ts'
import { failWaitingTask, type WaitingEndDependencies } from './end-task.ts'
import type { FindModelFacts } from './model-facts.ts'

const tasksPerBatchMax = 500
const unplaceableMsMax = 30_000
/**
 * Maximum number of unplaceable tasks that are tracked. Further tasks are tracked once others have
 * been placed or have failed.
 */
const unplaceableMax = 100_000

export interface PlaceTasksDependencies extends WaitingEndDependencies {
  store: Pick<Store, 'database' | 'moveToLane' | 'fail' | 'find'>
  routes: Pick<Routes, 'placeAccepted' | 'simulationLane' | 'embeddedLane'>
  findModelFacts: FindModelFacts
  clock: Clock
  logger: Logger
  /** Tasks that could not be placed, by id. The map persists between calls. */
  unplaceable: Map<string, UnplaceablePeriod>
}

/** First and last time at which a placement found that no route could serve a task. */
export interface UnplaceablePeriod {
  firstAtMs: number
  lastAtMs: number
}

interface WaitingTask {
  no: number
  virtualStart: number
  id: string
  fence: number
  model: string
  modelVersionNo: number | null
  object: TaskObject
  parameters: GenerationParameters & { simulate?: Simulation }
}

/**
 * Moves waiting tasks from lanes (queue partitions) that this process does not know to lanes of the
 * routes in use. Such lanes exist after a change of the routes and after a start of the process. If
 * the first task of a lane belongs there, `Routes` learns the lane, and all tasks of the lane stay.
 * If no configured route can serve a task anymore, the task fails.
 */
export async function placeTasks(
  lanes: readonly number[],
  dependencies: PlaceTasksDependencies,
  signal: AbortSignal,
): Promise<void> {
  dropStale(dependencies)
  for (const lane of lanes) await placeLane(lane, dependencies, signal)
}

async function placeLane(lane: number, dependencies: PlaceTasksDependencies, signal: AbortSignal): Promise<void> {
  for await (const firstTask of readTasks(lane, 1, null, dependencies))
    if ((await targetLaneOf(firstTask, lane, dependencies)) === lane) return
  let movedCount = 0
  let lastTask: WaitingTask | null = null
  for (let hasMore = true; hasMore && !signal.aborted;) {
    const moves: LaneMove[] = []
    let readCount = 0
    for await (const task of readTasks(lane, tasksPerBatchMax, lastTask, dependencies)) {
      readCount += 1
      lastTask = task
      const targetLane = await targetLaneOf(task, lane, dependencies)
      if (typeof targetLane !== 'number') {
        await failUnplaceable(task, targetLane, dependencies)
        continue
      }
      dependencies.unplaceable.delete(task.id)
      if (targetLane !== lane) moves.push({ id: task.id, from: lane, to: targetLane })
    }
    await dependencies.store.moveToLane(moves)
    movedCount += moves.length
    hasMore = readCount === tasksPerBatchMax
  }
  if (movedCount > 0) dependencies.logger.info({ tasks: movedCount }, 'waiting tasks were moved to lanes of the routes in use')
}

/**
 * Fails a task that cannot be placed. If its model is no longer offered, the task fails
 * immediately, otherwise after `unplaceableMsMax` in which no route could serve it. The delay is
 * necessary, because another process may know a route that this process has not read yet.
 */
async function failUnplaceable(task: WaitingTask, failure: Failure, dependencies: PlaceTasksDependencies): Promise<void> {
  const { clock, unplaceable } = dependencies
  if (failure.code !== 'invalid_input') return failWaitingTask(task, failure, dependencies)
  const nowMs = clock()
  const firstAtMs = unplaceable.get(task.id)?.firstAtMs ?? nowMs
  if (nowMs - firstAtMs < unplaceableMsMax) {
    if (unplaceable.size < unplaceableMax || unplaceable.has(task.id)) unplaceable.set(task.id, { firstAtMs, lastAtMs: nowMs })
    return
  }
  unplaceable.delete(task.id)
  await failWaitingTask(task, failure, dependencies)
}

/**
 * Stops tracking tasks that recent placements have not found, because they have ended or because a
 * route serves their lane again.
 */
function dropStale({ unplaceable, clock }: Pick<PlaceTasksDependencies, 'unplaceable' | 'clock'>): void {
  const nowMs = clock()
  for (const [id, { lastAtMs }] of unplaceable) if (nowMs - lastAtMs >= unplaceableMsMax) unplaceable.delete(id)
}

/** Returns the lane in which the task must wait, or the reason why no route can serve it. */
async function targetLaneOf(
  { model, modelVersionNo, object, parameters }: WaitingTask,
  currentLane: number,
  dependencies: Pick<PlaceTasksDependencies, 'findModelFacts' | 'routes'>,
): Promise<number | Failure> {
  const { routes } = dependencies
  const { simulate, ...requestedFields } = parameters
  if (simulate !== undefined) return routes.simulationLane
  const facts = await dependencies.findModelFacts(model, modelVersionNo)
  if (facts === undefined) return { code: 'upstream_failed', message: 'The model is no longer offered.' }
  // The routes of this model id now serve a model of another kind. An upstream would charge for a
  // result that the task cannot use.
  if (facts.replacementKind !== undefined && routes.embeddedLane(model) === null)
    return { code: 'invalid_input', message: `The model was replaced by one of the kind ${facts.replacementKind}.` }
  const placement = routes.placeAccepted(
    model,
    { model, object, size: facts.size(requestedFields), parameters: requestedFields },
    currentLane,
  )
  if ('lane' in placement) return placement.lane
  return { code: 'invalid_input', message: `${placement.refusal.message}.` }
}

/**
 * Yields up to `limit` tasks that wait in a lane behind `after`. The query uses the index
 * tasks_virtual_start_idx. Input files are read separately for each task, because they may take
 * megabytes.
 */
async function* readTasks(
  lane: number,
  limit: number,
  after: WaitingTask | null,
  { store: { database } }: PlaceTasksDependencies,
): AsyncGenerator<WaitingTask> {
  let waitingTasks = database
    .selectFrom('tasks')
    .select(['no', 'tail', 'lease_fence', 'virtual_start', 'model', 'model_version_no', 'object', 'parameters'])
    .where('lane', '=', lane)
    .where('virtual_start', 'is not', null)
  if (after !== null) {
    waitingTasks = waitingTasks
      .where('virtual_start', '>=', after.virtualStart)
      .where((builder) => builder.or([builder('virtual_start', '>', after.virtualStart), builder('no', '>', after.no)]))
  }
  for (const row of await waitingTasks.orderBy('virtual_start').orderBy('no').limit(limit).execute()) {
    const { no, tail, lease_fence: fence, virtual_start: virtualStart, model, model_version_no: modelVersionNo } = row
    const { object, parameters } = row
    const parsedParameters = readParameters(parameters, await readImages(database, no))
    yield {
      no,
      virtualStart: virtualStart ?? 0,
      id: taskIdOf(no, tail),
      fence,
      model,
      modelVersionNo,
      object,
      parameters: parsedParameters,
    }
  }
}
