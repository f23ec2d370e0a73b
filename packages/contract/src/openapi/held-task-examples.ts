import type { HeldTaskView } from '../admin-held-tasks.ts'
import type { List } from '../list.ts'
import type { Example } from './document-types.ts'

/** A task that was accepted at noon on 15 January 2026, and was queued when the backup was taken. */
const heldTask: HeldTaskView = {
  object: 'held_task',
  id: 'task_019bc186de0070008b1e4d7a0c3f6295',
  account: 'acct_1',
  account_name: 'Studio North',
  model: 'vidG_video3',
  created: 1_768_478_400,
  amount: 0.84,
  attempts: 0,
}
const list: List<HeldTaskView> = { object: 'list', items: [heldTask], has_more: false, next_cursor: null }

export const heldTaskExamples = {
  held: { summary: 'A task that was queued at the time of the copy', value: heldTask },
  list: { summary: 'One task on hold', value: list },
} as const satisfies Record<string, Example>
