import { texts } from '../../language/language.ts'
import { Icon } from '../../parts/icon.tsx'

/** First steps in a new installation. Shows nothing when all are done. */
export function FirstSteps({ hasTask, hasUpstream }: { hasTask: boolean; hasUpstream: boolean }) {
  const t = texts.value.overview.firstSteps
  if (hasTask && hasUpstream) return null
  const steps = [
    { isDone: hasTask, title: t.task, hint: t.taskHint, path: '/console/models/vidDq3-turbo', link: t.taskLink },
    { isDone: hasUpstream, title: t.upstream, hint: t.upstreamHint, path: '/console/upstreams', link: t.upstreamLink },
  ]
  return (
    <section class="panel first-steps">
      <h2>{t.title}</h2>
      <ol>
        {steps.map(({ isDone, title, hint, path, link }) => (
          <li key={title} class={isDone ? 'done' : undefined}>
            <span class="step-mark">{isDone && <Icon name="check" size={14} />}</span>
            <div>
              <strong>{title}</strong> {isDone && <span class="visually-hidden">{t.done}</span>}
              <p class="muted">{hint}</p>
              {!isDone && <a href={path}>{link}</a>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
