import type { Task, TaskResult } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { mediaUrl } from '../../session/brand.ts'
import { textOf } from '../../parts/text-of.ts'

/** The files or the text of a completed task. */
export function ResultMedia({ task }: { task: Task }) {
  const t = texts.value.tasks
  if (task.result_expired === true) return <p class="notice">{t.expired}</p>
  if (task.text !== undefined) return <pre class="result-text">{task.text}</pre>
  const { results = [] } = task
  const prompt = textOf(task.parameters?.['prompt'] ?? task.prompt)
  return (
    <div class={results.length > 1 ? 'result-media several' : 'result-media'}>
      {results.map((result) => (
        <ResultFile key={result.url} result={result} description={prompt === '' ? t.resultOf(task.model) : prompt} />
      ))}
    </div>
  )
}

function ResultFile({ result, description }: { result: TaskResult; description: string }) {
  const { url, thumbnail_url, type, width, height } = result
  if (type.startsWith('image/')) return <img src={mediaUrl(url)} width={width} height={height} alt={description} />
  if (type.startsWith('text/')) return <a href={mediaUrl(url)}>{texts.value.tasks.text}</a>
  return (
    <video
      src={mediaUrl(url)}
      {...(thumbnail_url !== undefined && { poster: mediaUrl(thumbnail_url) })}
      width={width}
      height={height}
      aria-label={description}
      controls
      loop
      playsInline
    />
  )
}
