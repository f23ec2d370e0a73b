import type { Task } from '../api/types.ts'
import { credits, texts } from '../language/language.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { Thumbnail } from './thumbnail.tsx'

export function TaskRow({ task }: { task: Task }) {
  const t = texts.value.tasks
  return (
    <tr class="row">
      <td>
        <a class="task-link" href={`/console/tasks/${task.id}`}>
          <Thumbnail task={task} />
          <span class="task-prompt" dir="auto">
            {task.prompt ?? t.noPrompt}
          </span>
        </a>
      </td>
      <td>
        <StatusBadge task={task} />
      </td>
      <td>
        <code>{task.model}</code>
      </td>
      <td class="number">{credits(task.amount)}</td>
      <td>
        <Time at={task.created} />
      </td>
    </tr>
  )
}
