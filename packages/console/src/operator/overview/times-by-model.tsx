import type { Overview } from '@framegate/contract'
import { count, duration, relativeTime, texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'

/** Numbers of tasks by model, and percentiles of their time from acceptance to completion. */
export function TimesByModel({ overview: { models, times_from } }: { overview: Overview }) {
  const t = texts.value
  if (models.length === 0) return null
  return (
    <section class="section">
      <h2>{t.overview.times}</h2>
      <p class="muted">{t.overview.timesSince(relativeTime(times_from))}</p>
      <DataTable
        label={t.overview.times}
        rows={models}
        keyOf={({ model }) => model}
        columns={[
          { label: t.tasks.model, cell: ({ model }) => <code>{model}</code> },
          { label: t.overview.queued, cell: ({ queued }) => count(queued), isNumber: true },
          { label: t.overview.running, cell: ({ processing }) => count(processing), isNumber: true },
          { label: t.overview.completed, cell: ({ completed }) => count(completed), isNumber: true },
          { label: 'p50', cell: ({ p50_seconds }) => durationText(p50_seconds), isNumber: true },
          { label: 'p95', cell: ({ p95_seconds }) => durationText(p95_seconds), isNumber: true },
        ]}
      />
    </section>
  )
}

function durationText(seconds: number | null): string {
  return seconds === null ? '—' : duration(seconds)
}
