import type { Task } from '../api/types.ts'
import { tableLayout, useVisibleRows } from '../parts/use-visible-rows.ts'
import { TaskRow } from './task-row.tsx'

const columns = 5

/** Body of the task table. Only the rows near the viewport are rendered. */
export function TaskRows({ tasks }: { tasks: readonly Task[] }) {
  const { container, first, end, pixelsBefore, pixelsAfter } = useVisibleRows<HTMLTableSectionElement>(tasks.length, tableLayout)
  return (
    <tbody ref={container}>
      <Space height={pixelsBefore} />
      {tasks.slice(first, end).map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
      <Space height={pixelsAfter} />
    </tbody>
  )
}

/** Empty row in place of rows that are not rendered. `height` is in pixels. */
function Space({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} class="row-space" style={{ blockSize: `${height}px` }} />
    </tr>
  )
}
