import type { Timeline, TimelineEvent } from '@framegate/contract'
import { creditsOf } from '../credits/micro-credits.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { AttemptRow } from '../db/tables/task-tables.ts'
import { createdAtMsOf, taskNoOf } from '../identity/task-id.ts'
import { waitingEvent, type WaitingEventDependencies } from './waiting-event.ts'

/**
 * Returns the events of a task, derived from its row and its attempts. The ledger is not read,
 * because these two also determine the task's ledger entries. Attempts in the state `assigned` are
 * omitted, because nothing was sent for them.
 */
export async function readTimeline(
  dependencies: WaitingEventDependencies,
  task: TaskRecord,
  isForOperator: boolean,
): Promise<Timeline> {
  const attempts = await dependencies.database
    .selectFrom('all_task_attempts')
    .select(['number', 'state', 'route', 'started_at', 'ended_at', 'reason'])
    .where('task_no', '=', taskNoOf(task.id))
    .where('state', '!=', 'assigned')
    .orderBy('number')
    .execute()
  const waiting = task.status === 'queued' ? await waitingEvent(dependencies, task, isForOperator) : null
  const events = [
    ...acceptedEvents(task),
    ...attempts.flatMap(attemptEvents),
    ...endEvents(task),
    ...(waiting === null ? [] : [waiting]),
  ]
  return { object: 'timeline', task: task.id, events }
}

function acceptedEvents({ id, priceMicroCredits }: TaskRecord): TimelineEvent[] {
  const atSeconds = toSeconds(createdAtMsOf(id))
  return [
    { event: 'accepted', at: atSeconds },
    { event: 'held', at: atSeconds, amount: creditsOf(priceMicroCredits) },
  ]
}

type Attempt = Pick<AttemptRow, 'number' | 'state' | 'route' | 'started_at' | 'ended_at' | 'reason'>

function attemptEvents({ number, state, route, started_at, ended_at, reason }: Attempt): TimelineEvent[] {
  const startedEvent: TimelineEvent = { event: 'attempt_started', at: toSeconds(started_at), attempt: number, route }
  if (ended_at === null) return [startedEvent]
  const outcome = state === 'succeeded' || state === 'not_accepted' ? state : 'failed'
  const endedEvent: TimelineEvent = { event: 'attempt_ended', at: toSeconds(ended_at), attempt: number, route, outcome }
  return [startedEvent, reason === null ? endedEvent : { ...endedEvent, reason }]
}

function endEvents({ endedAtMs, status, priceMicroCredits, chargedMicroCredits, ...task }: TaskRecord): TimelineEvent[] {
  if (endedAtMs === null || chargedMicroCredits === null) return []
  const atSeconds = toSeconds(endedAtMs)
  const releasedEvent = { event: 'released', at: atSeconds, amount: creditsOf(priceMicroCredits - chargedMicroCredits) } as const
  if (status === 'failed') {
    return [
      {
        event: 'failed',
        at: atSeconds,
        ...(task.errorCode !== null && { error_code: task.errorCode }),
        ...(task.errorMessage !== null && { reason: task.errorMessage }),
      },
      { ...releasedEvent, reason: 'The task failed, so nothing is charged.' },
    ]
  }
  const completedEvents: TimelineEvent[] = [
    { event: 'completed', at: atSeconds },
    { event: 'charged', at: atSeconds, amount: creditsOf(chargedMicroCredits) },
  ]
  return releasedEvent.amount === 0
    ? completedEvents
    : [...completedEvents, { ...releasedEvent, reason: 'The produced result costs less than the held amount.' }]
}

function toSeconds(milliseconds: number): number {
  return milliseconds / 1000
}
