import type { Task } from '../api/types.ts'
import { texts } from '../language/language.ts'

/** The status of a task: a word, and a mark that differs in shape as well as in color. */
export function StatusBadge({ task }: { task: Pick<Task, 'status' | 'progress' | 'error_code'> }) {
  const t = texts.value.tasks
  const isCancelled = task.error_code === 'cancelled'
  const statusName =
    task.status === 'processing' && task.progress > 0 ? `${t.statuses.processing} ${task.progress} %` : t.statuses[task.status]
  return <span class={`status ${isCancelled ? 'cancelled' : task.status}`}>{isCancelled ? t.cancelled : statusName}</span>
}
