import type { TimelineEvent, WaitReason } from '@framegate/contract'
import type { Kysely, Selectable } from 'kysely'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { onHoldMark } from '../db/held-tasks.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { Tables } from '../db/tables.ts'
import type { TaskRow } from '../db/tables/task-tables.ts'
import type { Clock } from '../lib/clock.ts'
import { taskNoOf } from '../identity/task-id.ts'
import type { RouteExplanation } from '../routing/explain.ts'
import type { Routes } from '../routing/routes.ts'
import { readParameters } from './parameters-text.ts'
import { upstreamRequest } from './upstream-request.ts'

export interface WaitingEventDependencies {
  database: Kysely<Tables>
  routes: Pick<Routes, 'explain' | 'explainSimulation'>
  catalogue: Pick<Catalogue, 'find'>
  clock: Clock
}

type QueueState = Pick<Selectable<TaskRow>, 'due_at' | 'virtual_start' | 'waits' | 'lease_until' | 'lease_fence'>

/**
 * Returns the timeline event with the reason why a queued task waits. Returns null if the task is
 * no longer queued. Only for operators, the event lists the routes that can serve the task.
 */
export async function waitingEvent(
  { database, routes, catalogue, clock }: WaitingEventDependencies,
  task: TaskRecord,
  isForOperator: boolean,
): Promise<TimelineEvent | null> {
  const row = await database
    .selectFrom('tasks')
    .leftJoin('task_images', 'task_images.task_no', 'tasks.no')
    .select(['due_at', 'virtual_start', 'waits', 'lease_until', 'lease_fence', 'images'])
    .where('no', '=', taskNoOf(task.id))
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (row === undefined) return null
  const nowMs = clock()
  const explanation = explain(task, row.images)
  const reason = reasonInQueue(row, nowMs) ?? explanation?.obstacle ?? 'start'
  const nextTryMs = reason === 'delay' ? row.due_at : dependsOnRoutes(reason) ? (explanation?.nextTryMs ?? null) : null
  return {
    event: 'waiting',
    at: nowMs / 1000,
    for: reason,
    ...(nextTryMs !== null && { next_try: Math.ceil(nextTryMs / 1000) }),
    ...(isForOperator && explanation && { routes: capableRoutes(explanation) }),
  }

  /** Returns undefined if the catalogue no longer has the model. The task then fails soon. */
  function explain({ model: id, parameters: text }: TaskRecord, images: string | null): RouteExplanation | undefined {
    const model = catalogue.find(id)
    if (model === undefined) return undefined
    const { simulate, ...parameters } = readParameters(text, images)
    const request = upstreamRequest(model, parameters)
    return simulate === undefined ? routes.explain(id, request) : routes.explainSimulation(request)
  }
}

/**
 * Returns the reason why a queued task does not run yet, if the reason does not depend on routes.
 * `start`: a worker has claimed the task and starts it. Null: only the routes can be the reason.
 */
function reasonInQueue({ due_at, virtual_start, waits, lease_until, lease_fence }: QueueState, nowMs: number): WaitReason | null {
  if (waits === onHoldMark) return 'operator'
  if (waits === 1) return 'account_limit'
  const wasClaimed = lease_fence > 0
  if (!wasClaimed && virtual_start === null && due_at !== null && due_at > nowMs) return 'delay'
  return lease_until !== null && lease_until > nowMs ? 'start' : null
}

function dependsOnRoutes(reason: WaitReason): boolean {
  return reason === 'free_slot' || reason === 'provider_throttled' || reason === 'provider_unavailable'
}

function capableRoutes({ routes }: RouteExplanation): NonNullable<TimelineEvent['routes']> {
  return routes
    .filter(({ refusal }) => refusal === null)
    .map(({ route, condition, pausedUntilMs }) => ({
      route: route.name,
      upstream: route.settings.upstream.name,
      condition,
      until: pausedUntilMs === null ? null : Math.ceil(pausedUntilMs / 1000),
    }))
}
