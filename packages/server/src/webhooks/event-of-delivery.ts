import { eventIdOf } from '../events/event-id.ts'
import { taskIdOf } from '../identity/task-id.ts'
import type { DueDelivery } from './delivery-queue.ts'

/** Returns the id of a delivery's task, or null if the event is not about a task. */
export function taskIdIn({ task_no: no, tail }: Pick<DueDelivery, 'task_no' | 'tail'>): string | null {
  return no === null ? null : taskIdOf(no, tail ?? '')
}

export function eventIdIn(delivery: Pick<DueDelivery, 'task_no' | 'tail' | 'type' | 'event_id'>): string {
  const taskId = taskIdIn(delivery)
  return taskId === null ? (delivery.event_id ?? '') : eventIdOf(taskId, delivery.type)
}
