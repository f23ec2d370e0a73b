import type { Task } from '../api/types.ts'
import { tableLayout, useVisibleRows } from '../parts/use-visible-rows.ts'
import { TaskRow } from './task-row.tsx'

const columns = 5

/** The body of the table of tasks. Only the rows near the visible part are drawn. */
export function TaskRows({ tasks }: { tasks: readonly Task[] }) {
  const { container, first, end, before, after } = useVisibleRows<HTMLTableSectionElement>(tasks.length, tableLayout)
  return (
    <tbody ref={container}>
      <Space height={before} />
      {tasks.slice(first, end).map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
      <Space height={after} />
    </tbody>
  )
}

/** Takes the place of rows that are not drawn. */
function Space({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} class="row-space" style={{ blockSize: `${height}px` }} />
    </tr>
  )
}
