import type { Task } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { Facts } from '../parts/facts.tsx'

/** The parameters of a task, without its prompt, which the page shows separately. */
export function TaskInputs({ task }: { task: Task }) {
  const t = texts.value
  const labels = t.parameters as Readonly<Record<string, string>>
  const inputs = Object.entries(task.parameters ?? {}).filter(([name]) => name !== 'prompt')
  if (inputs.length === 0) return null
  return (
    <section class="panel">
      <h2>{t.tasks.inputs}</h2>
      <Facts facts={inputs.map(([name, value]) => [labels[name] ?? name, <code key={name}>{inputText(value)}</code>] as const)} />
    </section>
  )
}

function inputText(value: unknown): string {
  if (Array.isArray(value)) return value.map(inputText).join(', ')
  if (typeof value === 'object' && value !== null) return 'sha256' in value ? texts.value.tasks.file : JSON.stringify(value)
  return String(value)
}
