import type { DeletedTask, DeletedTasks, Erasure } from '../deletion.ts'
import type { Example } from './document-types.ts'

const task: DeletedTask = { id: 'task_019bc186de0070008b1e4d7a0c3f6295', object: 'task', deleted: true }
const tasks: DeletedTasks = { object: 'deleted_tasks', deleted: 1, has_more: true, next_cursor: 'AZvBht4AcAGLHk16DD9ilQ' }
const erasure: Erasure = {
  object: 'erasure',
  account: 'acct_2',
  status: 'completed',
  tasks: 2,
  results: 1,
  assets: 0,
  keys: 1,
  audit_entries: 1,
  requested: 1_768_478_400,
  completed: 1_768_478_400,
}

export const deletionExamples = {
  task: { summary: 'A deleted task', value: task },
  tasks: { summary: 'One deleted task; more match the filters', value: tasks },
  erasure: { summary: 'An erased account', value: erasure },
} as const satisfies Record<string, Example>
