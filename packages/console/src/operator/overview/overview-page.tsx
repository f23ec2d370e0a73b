import type { AdminAttempt, AdminRoute, AdminUpstream, Overview, UsageOfAll } from '@framegate/contract'
import type { ListPage } from '../../api/list.ts'
import { queryOf } from '../../api/query.ts'
import { useLoad } from '../../api/use-load.ts'
import { useRefresh, useRetry } from '../../api/use-refresh.ts'
import { count, credits, percent, texts } from '../../language/language.ts'
import { BarChart } from '../../parts/bar-chart.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../shell/page.tsx'
import { dayAgo, daysBetween } from '../../usage/days.ts'
import { Figure } from '../../usage/usage-page.tsx'
import { FirstSteps } from './first-steps.tsx'
import { findIncidents } from './incidents.ts'
import { IncidentList } from './incident-list.tsx'
import { BooksState } from './books-state.tsx'
import { TimesByModel } from './times-by-model.tsx'
import { useReadiness } from './use-readiness.ts'

const totalDays = 30

/** Page with running tasks, revenue, costs, and incidents that an operator must resolve. */
export function OverviewPage() {
  const t = texts.value
  const range = { from: dayAgo(totalDays - 1), to: dayAgo(0) }
  const readinessError = useReadiness()
  const overview = useLoad<Overview>('/admin/v1/overview')
  const upstreams = useLoad<ListPage<AdminUpstream>>('/admin/v1/upstreams')
  const routes = useLoad<ListPage<AdminRoute>>('/admin/v1/routes')
  const attempts = useLoad<ListPage<AdminAttempt>>('/admin/v1/attempts?unresolved=true&limit=20')
  const byDay = useLoad<UsageOfAll>(`/admin/v1/usage${queryOf({ ...range, by: 'day' })}`)
  const byModel = useLoad<UsageOfAll>(`/admin/v1/usage${queryOf({ ...range, by: 'model' })}`)
  const byRoute = useLoad<UsageOfAll>(`/admin/v1/usage${queryOf({ ...range, by: 'route' })}`)
  useRefresh(overview.reload, upstreams.reload, routes.reload, attempts.reload)
  useRetry(byDay)
  useRetry(byModel)
  useRetry(byRoute)
  const error =
    [overview, upstreams, routes, attempts, byDay, byModel, byRoute].find((request) => request.error !== null)?.error ?? null
  if (
    overview.data === null ||
    upstreams.data === null ||
    routes.data === null ||
    attempts.data === null ||
    byDay.data === null
  ) {
    return (
      <Page title={t.overview.title}>{error === null ? <Loading /> : <ErrorNotice error={error} onRetry={byDay.reload} />}</Page>
    )
  }
  const { total } = byDay.data
  const { queued, processing } = overview.data.tasks
  const revenueByDay = new Map(byDay.data.items.map(({ day = '', amount }) => [day, amount]))
  const incidents = findIncidents({
    readinessError,
    upstreams: upstreams.data.items,
    routes: routes.data.items,
    attempts: attempts.data.items,
    hasMoreAttempts: attempts.data.has_more,
    overview: overview.data,
    nowMs: Date.now(),
  })
  return (
    <Page title={t.overview.title} lead={t.overview.lead(totalDays)}>
      {error !== null && <ErrorNotice error={error} />}
      <FirstSteps
        hasTask={total.tasks > 0 || queued + processing > 0}
        hasUpstream={upstreams.data.items.some(({ source }) => source !== 'built_in')}
      />
      <IncidentList incidents={incidents} />
      <dl class="figures">
        <Figure name={t.overview.running} value={count(processing)} />
        <Figure name={t.overview.queued} value={count(queued)} />
        <Figure name={t.overview.ended} value={count(total.tasks)} />
        <Figure name={t.overview.successRate} value={total.tasks === 0 ? '—' : percent(total.completed / total.tasks)} />
        <Figure name={t.overview.revenue} value={credits(total.amount)} />
        <Figure name={t.overview.cost} value={costText(total)} />
        <Figure name={t.overview.margin} value={marginText(total)} />
      </dl>
      {total.cost_unknown > 0 && (
        <p class="muted">
          {t.overview.costUnknown(total.cost_unknown)} <a href="/console/routes">{t.navigation.routes}</a>
        </p>
      )}
      <section class="panel chart-panel">
        <h2>{t.overview.revenueByDay}</h2>
        <BarChart
          label={t.overview.revenueByDay}
          bars={daysBetween(range.from, range.to).map((day) => {
            const value = revenueByDay.get(day) ?? 0
            return { label: day, value, title: `${day}: ${credits(value)}` }
          })}
        />
      </section>
      <TimesByModel overview={overview.data} />
      <BooksState ledger={overview.data.ledger} />
      {byModel.data !== null && byModel.data.items.length > 0 && (
        <UsageTable
          title={t.overview.byModel}
          nameLabel={t.tasks.model}
          items={byModel.data.items}
          nameOf={(item) => item.model ?? '—'}
        />
      )}
      {byRoute.data !== null && byRoute.data.items.length > 0 && (
        <UsageTable
          title={t.overview.byRoute}
          nameLabel={t.routing.route}
          items={byRoute.data.items}
          nameOf={(item) => item.route ?? '—'}
        />
      )}
    </Page>
  )
}

/** Cost of the providers' jobs. A lower bound if the cost of some jobs is unknown. */
function costText({ cost, cost_unknown }: Costs): string {
  if (cost === null) return '—'
  return cost_unknown === 0 ? credits(cost) : texts.value.overview.atLeast(credits(cost))
}

/** Margin. An upper bound if the cost of some jobs is unknown. */
function marginText({ margin, cost_unknown }: Costs): string {
  if (margin === null) return '—'
  return cost_unknown === 0 ? credits(margin) : texts.value.overview.atMost(credits(margin))
}

type Costs = Pick<UsageOfAll['total'], 'cost' | 'cost_unknown' | 'margin'>
type UsageItem = UsageOfAll['items'][number]

interface UsageTableProps {
  title: string
  /** Label of the first column. */
  nameLabel: string
  items: readonly UsageItem[]
  nameOf: (item: UsageItem) => string
}

function UsageTable({ title, nameLabel, items, nameOf }: UsageTableProps) {
  const t = texts.value.overview
  return (
    <section class="section">
      <h2>{title}</h2>
      <DataTable
        label={title}
        rows={items.toSorted((a, b) => b.amount - a.amount)}
        keyOf={(item, index) => `${nameOf(item)} ${index}`}
        columns={[
          { label: nameLabel, cell: (item) => <code>{nameOf(item)}</code> },
          { label: t.ended, cell: ({ tasks }) => count(tasks), isNumber: true },
          {
            label: t.successRate,
            cell: ({ tasks, completed }) => (tasks === 0 ? '—' : percent(completed / tasks)),
            isNumber: true,
          },
          { label: t.revenue, cell: ({ amount }) => credits(amount), isNumber: true },
          { label: t.cost, cell: costText, isNumber: true },
          { label: t.margin, cell: marginText, isNumber: true },
        ]}
      />
    </section>
  )
}
