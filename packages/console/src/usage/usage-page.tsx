import { useLocation } from 'preact-iso'
import type { UsageReport } from '@framegate/contract'
import { apiUrl } from '../api/call.ts'
import { queryOf } from '../api/query.ts'
import { useLoad } from '../api/use-load.ts'
import { count, credits, duration, texts } from '../language/language.ts'
import { BarChart } from '../parts/bar-chart.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loading } from '../parts/loading.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Page } from '../shell/page.tsx'
import { dayAgo, daysBetween } from './days.ts'

/** Lengths of the time span, in days. */
const spans = ['7', '30', '90'] as const
const dimensions = ['day', 'model', 'key'] as const

/** Page with the account's usage by day, model or key. */
export function UsagePage() {
  const { query, route } = useLocation()
  const t = texts.value
  const span = spans.find((value) => value === query['days']) ?? '30'
  const dimension = dimensions.find((value) => value === query['by']) ?? 'model'
  const range = { from: dayAgo(Number(span) - 1), until: dayAgo(0) }
  const days = useLoad<UsageReport>(`/v2/usage${queryOf({ ...range, by: 'day' })}`)
  const rows = useLoad<UsageReport>(`/v2/usage${queryOf({ ...range, by: dimension })}`)
  const changeFilters = (filters: { days?: string; by?: string }): void =>
    route(`/console/usage${queryOf({ days: span, by: dimension, ...filters })}`, true)
  const chargedByDay = new Map(days.data?.rows.map(({ day = '', charged }) => [day, charged]))
  const error = days.error ?? rows.error
  const reload = (): void => {
    days.reload()
    rows.reload()
  }
  return (
    <Page
      title={t.usage.title}
      lead={t.usage.lead}
      actions={
        <a class="button" href={apiUrl(`/v2/usage.csv${queryOf({ ...range, by: 'day,model,key' })}`)} download="usage.csv">
          <Icon name="download" size={16} />
          CSV
        </a>
      }
    >
      <div class="filters">
        <Segmented
          label={t.usage.span}
          name="span"
          value={span}
          options={spans.map((value) => ({ value, label: t.usage.days(Number(value)) }))}
          onChange={(value) => changeFilters({ days: value })}
        />
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {days.data === null && error === null && <Loading />}
      {days.data !== null && (
        <>
          <dl class="figures">
            <Figure name={t.usage.charged} value={credits(days.data.total.charged)} />
            <Figure name={t.usage.completed} value={count(days.data.total.completed)} />
            <Figure name={t.usage.failed} value={count(days.data.total.failed)} />
            <Figure name={t.usage.seconds} value={duration(days.data.total.seconds)} />
          </dl>
          <section class="panel chart-panel">
            <h2>{t.usage.chargedByDay}</h2>
            <BarChart
              label={t.usage.chargedByDay}
              bars={daysBetween(range.from, range.until).map((day) => {
                const value = chargedByDay.get(day) ?? 0
                return { label: day, value, title: `${day}: ${credits(value)}` }
              })}
            />
          </section>
        </>
      )}
      <div class="filters">
        <Segmented
          label={t.usage.by}
          name="by"
          value={dimension}
          options={dimensions.map((value) => ({ value, label: t.usage.dimensions[value] }))}
          onChange={(value) => changeFilters({ by: value })}
        />
      </div>
      {rows.data !== null && (
        <DataTable
          label={t.usage.title}
          rows={rows.data.rows}
          keyOf={(row, index) => `${row.day ?? row.model ?? row.key ?? ''} ${index}`}
          columns={[
            { label: t.usage.dimensions[dimension], cell: (row) => <code>{row[dimension] ?? '—'}</code> },
            { label: t.usage.charged, cell: (row) => credits(row.charged), isNumber: true },
            { label: t.usage.completed, cell: (row) => count(row.completed), isNumber: true },
            { label: t.usage.failed, cell: (row) => count(row.failed), isNumber: true },
            { label: t.usage.seconds, cell: (row) => duration(row.seconds), isNumber: true },
          ]}
        />
      )}
      {rows.data?.rows.length === 0 && <p class="empty">{t.usage.empty}</p>}
    </Page>
  )
}

export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
