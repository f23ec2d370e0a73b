import type { Task } from '../api/types.ts'
import { credits, duration, fileSize, texts } from '../language/language.ts'
import { modelPath } from '../models/catalogue.ts'
import { Facts } from '../parts/facts.tsx'
import { Time } from '../parts/time.tsx'

export function TaskFacts({ task }: { task: Task }) {
  const t = texts.value
  const [result] = task.results ?? []
  return (
    <Facts
      facts={[
        [t.tasks.model, <a href={modelPath(task.model)}>{task.model}</a>],
        [t.tasks.amount, credits(task.amount)],
        [t.tasks.created, <Time at={task.created} />],
        task.started !== undefined && task.completed !== undefined && [t.tasks.duration, duration(task.completed - task.created)],
        result !== undefined &&
          result.width > 0 && [
            t.playground.result,
            `${result.width} × ${result.height}${result.seconds === null ? '' : `, ${duration(result.seconds)}`}, ${fileSize(result.bytes)}`,
          ],
        task.seed !== undefined && [t.parameters.seed, String(task.seed)],
      ]}
    />
  )
}
