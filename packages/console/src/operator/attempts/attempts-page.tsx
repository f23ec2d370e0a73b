import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { AdminAttempt } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/query.ts'
import { usePages } from '../../api/use-pages.ts'
import { credits, texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Time } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { HeldTasks } from './held-tasks.tsx'

const resolutions = [
  'was_not_started',
  'not_charged_upstream',
  'refunded_upstream',
  'charged_to_account',
  'accepted_loss',
] as const

/**
 * Page with the attempts (tries at tasks) that an operator must resolve, or all attempts, and with
 * the tasks on hold after a restore.
 */
export function AttemptsPage() {
  const { query, route } = useLocation()
  const t = texts.value
  const isAll = query['all'] === '1'
  const pages = usePages<AdminAttempt>(`/admin/v1/attempts${queryOf({ unresolved: isAll ? null : true })}`)
  const [attemptToResolve, setAttemptToResolve] = useState<AdminAttempt | null>(null)
  return (
    <Page title={t.attempts.title} lead={t.attempts.lead}>
      <HeldTasks />
      <div class="filters">
        <Segmented
          label={t.attempts.show}
          name="attempts"
          value={isAll ? 'all' : 'unresolved'}
          options={[
            { value: 'unresolved', label: t.attempts.unresolved },
            { value: 'all', label: t.attempts.all },
          ]}
          onChange={(value) => route(`/console/attempts${queryOf({ all: value === 'all' ? 1 : null })}`, true)}
        />
      </div>
      <PageList pages={pages} empty={isAll ? t.attempts.none : t.attempts.noneUnresolved}>
        <DataTable
          label={t.attempts.title}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t.attempts.attempt,
              cell: ({ id, model, account_name }) => (
                <>
                  <code>{id}</code>
                  <br />
                  <span class="muted">
                    {model} · {account_name}
                  </span>
                </>
              ),
            },
            { label: t.routing.route, cell: ({ route: name }) => name },
            { label: t.attempts.status, cell: ({ status }) => t.attempts.statuses[status] },
            {
              label: t.attempts.reason,
              cell: ({ reason, resolution, detail, error }) => (
                <>
                  {reason !== null && (
                    <span class={resolution === null ? 'badge bad' : 'badge'}>{t.attempts.reasons[reason]}</span>
                  )}
                  {resolution !== null && <span class="badge good">{t.attempts.resolutions[resolution]}</span>}
                  <p class="muted small">{detail ?? error}</p>
                </>
              ),
            },
            {
              label: t.overview.cost,
              cell: ({ cost_credits }) => (cost_credits === null ? '—' : credits(cost_credits)),
              isNumber: true,
            },
            { label: t.tasks.started, cell: ({ started }) => <Time at={started} /> },
            {
              label: t.attempts.resolve,
              isActions: true,
              cell: (attempt) =>
                attempt.reason !== null &&
                attempt.resolution === null && (
                  <button type="button" class="button small" onClick={() => setAttemptToResolve(attempt)}>
                    {t.attempts.resolve}
                  </button>
                ),
            },
          ]}
        />
      </PageList>
      {attemptToResolve !== null && (
        <FormDialog
          title={t.attempts.resolve}
          button={t.attempts.resolve}
          lead={t.attempts.resolveHint}
          fields={[
            {
              name: 'resolution',
              label: t.attempts.resolution,
              kind: 'choice',
              choices: [
                ['', t.playground.choose],
                ...resolutions.map((value) => [value, t.attempts.resolutions[value]] as const),
              ],
            },
            { name: 'note', label: t.accounts.note, kind: 'text' },
          ]}
          onSubmit={async (body) => {
            await call('POST', `/admin/v1/attempts/${attemptToResolve.id}/resolve`, { body })
            pages.change((items) => items.filter(({ id }) => isAll || id !== attemptToResolve.id))
            pages.refresh()
          }}
          onClose={() => setAttemptToResolve(null)}
        />
      )}
    </Page>
  )
}
