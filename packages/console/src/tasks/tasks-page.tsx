import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type { Task, TaskStatus } from '../api/types.ts'
import { onTaskChanged } from '../api/account-events.ts'
import { queryOf } from '../api/query.ts'
import { usePages } from '../api/use-pages.ts'
import { texts } from '../language/language.ts'
import { loadModels, models } from '../models/catalogue.ts'
import { ModelSelect } from '../models/model-select.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loading } from '../parts/loading.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Page } from '../shell/page.tsx'
import { FirstTaskHint } from './first-task-hint.tsx'
import { TaskRows } from './task-rows.tsx'

const statuses: readonly TaskStatus[] = ['queued', 'processing', 'completed', 'failed']

/** Page with the tasks of the account. The URL contains the filters. */
export function TasksPage() {
  const { query, route } = useLocation()
  const t = texts.value.tasks
  const status = statuses.find((value) => value === query['status']) ?? null
  const model = query['model'] ?? null
  const pages = usePages<Task>(`/v2/model-center/tasks${queryOf({ status, model })}`)
  useEffect(() => onTaskChanged(pages.refresh), [pages.refresh])
  useEffect(() => {
    if (models.value === null) void loadModels()
  }, [])
  const changeFilters = (filters: { status?: string | null; model?: string | null }): void =>
    route(`/console/tasks${queryOf({ status, model, ...filters })}`, true)
  const isFiltered = status !== null || model !== null
  return (
    <Page title={t.title} lead={t.lead}>
      <search class="filters">
        <Segmented
          label={t.status}
          name="status"
          value={status ?? 'all'}
          options={[
            { value: 'all', label: t.allStatuses },
            ...statuses.map((value) => ({ value: value as string, label: t.statuses[value] })),
          ]}
          onChange={(value) => changeFilters({ status: value === 'all' ? null : value })}
        />
        <label>
          <span class="visually-hidden">{t.model}</span>
          <ModelSelect value={model ?? ''} emptyLabel={t.allModels} onChange={(id) => changeFilters({ model: id || null })} />
        </label>
      </search>
      {pages.error !== null && <ErrorNotice error={pages.error} onRetry={pages.refresh} />}
      {pages.hasMore === null && pages.error === null && <Loading />}
      {pages.hasMore !== null &&
        pages.items.length === 0 &&
        (isFiltered ? <p class="empty">{t.nothingFound}</p> : <FirstTaskHint />)}
      {pages.items.length > 0 && (
        <div class="table-frame">
          <table class="data-table task-table">
            <thead>
              <tr>
                <th scope="col">{t.task}</th>
                <th scope="col">{t.status}</th>
                <th scope="col">{t.model}</th>
                <th scope="col" class="number">
                  {t.amount}
                </th>
                <th scope="col">{t.created}</th>
              </tr>
            </thead>
            <TaskRows tasks={pages.items} />
          </table>
        </div>
      )}
      <MoreButton pages={pages} />
    </Page>
  )
}
