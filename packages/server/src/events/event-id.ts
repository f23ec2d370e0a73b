import { hash } from 'node:crypto'
import type { EventType } from '@framegate/contract'

/**
 * The id of a task's event. It follows from the task and the type, so that a repetition never has
 * another id.
 */
export function eventIdOf(taskId: string, type: EventType): string {
  return `evt_${hash('sha256', `${taskId}\n${type}`, 'hex').slice(0, 32)}`
}
