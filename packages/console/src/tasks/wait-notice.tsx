import type { Timeline } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { Time } from '../parts/time.tsx'

/**
 * Shows why a queued task waits, when the service tries again, and what happens then. Operators
 * also see the routes that are not available.
 */
export function WaitNotice({ timeline }: { timeline: Timeline | null }) {
  const { tasks: t, explain } = texts.value
  const lastEvent = timeline?.events.at(-1)
  const reason = lastEvent?.event === 'waiting' ? lastEvent.for : undefined
  if (lastEvent === undefined || reason === undefined || reason === 'start') return null
  const hint = (t.waitHints as Readonly<Record<string, string>>)[reason]
  const routes = lastEvent.routes?.filter(({ condition }) => condition !== 'open') ?? []
  return (
    <div class="notice warning">
      <p>
        <strong>{t.waitTexts[reason]}</strong>
      </p>
      {lastEvent.next_try !== undefined && (
        <p>
          {t.nextTry} <Time at={lastEvent.next_try} />
        </p>
      )}
      {hint !== undefined && <p>{hint}</p>}
      {routes.map(({ route, upstream, condition }) => (
        <p key={`${route} ${upstream}`}>
          <a href="/console/upstreams">
            {route} · {upstream}
          </a>
          : {explain.conditions[condition]}
        </p>
      ))}
    </div>
  )
}
