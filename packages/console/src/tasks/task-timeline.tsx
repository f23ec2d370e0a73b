import type { Timeline } from '../api/types.ts'
import { credits, duration, exactTime, texts } from '../language/language.ts'
import { timelineBars } from './timeline-bars.ts'

/** Waits and attempts of a task as bars on a common time scale, with the events below them. */
export function TaskTimeline({ timeline }: { timeline: Timeline | null }) {
  const t = texts.value.tasks
  if (timeline === null || timeline.events.length === 0) return null
  const { events } = timeline
  const { bars, seconds } = timelineBars(events, Date.now() / 1000)
  return (
    <section class="panel">
      <h2>
        {t.timeline} <span class="muted">{duration(seconds)}</span>
      </h2>
      <ol class="timeline-bars">
        {bars.map((bar) => (
          <li key={`${bar.kind} ${bar.from}`}>
            <span>{bar.kind === 'wait' ? t.waiting : t.attempt(bar.number, bar.route)}</span>
            <svg class={`bar ${bar.kind} ${bar.outcome ?? ''}`} height="8" width="100%" aria-hidden="true">
              <rect width="100%" height="8" rx="4" class="bar-track" />
              <rect
                x={`${(bar.from / seconds) * 100}%`}
                width={`${Math.max(0.8, ((bar.to - bar.from) / seconds) * 100)}%`}
                height="8"
                rx="4"
              />
            </svg>
            <span class="muted tabular">{duration(bar.to - bar.from)}</span>
          </li>
        ))}
      </ol>
      <details>
        <summary>{t.allEvents}</summary>
        <ol class="timeline-events">
          {events.map((event) => (
            <li key={`${event.event} ${event.at}`}>
              <time title={exactTime(event.at)} class="muted tabular">
                +{duration(Math.max(0, event.at - (events[0]?.at ?? 0)))}
              </time>
              <span>
                {t.events[event.event]}
                {event.amount !== undefined && ` · ${credits(event.amount)}`}
                {event.route !== undefined && ` · ${event.route}`}
                {event.for !== undefined && ` ${t.waitReasons[event.for]}`}
                {event.reason !== undefined && ` · ${event.reason}`}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </section>
  )
}
