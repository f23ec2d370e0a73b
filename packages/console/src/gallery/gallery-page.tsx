import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import { onTaskChanged } from '../api/account-events.ts'
import { queryOf } from '../api/query.ts'
import { usePages } from '../api/use-pages.ts'
import { texts } from '../language/language.ts'
import { loadModels, models } from '../models/catalogue.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loading } from '../parts/loading.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { gridLayout, useVisibleRows } from '../parts/use-visible-rows.ts'
import { Page } from '../shell/page.tsx'
import { GalleryItem } from './gallery-item.tsx'

const pageSize = 100
/** The style sheet gives the items an aspect ratio of 4:3. */
const itemLayout = gridLayout(3 / 4)
const daySeconds = 86_400

/** Page with the account's results in a grid. Only rows near the viewport are rendered. */
export function GalleryPage() {
  const { query, route } = useLocation()
  const t = texts.value.gallery
  const object = query['object'] === 'image' || query['object'] === 'video' ? query['object'] : null
  const { model = null, q = '', from = null, to = null } = query
  const pages = usePages<Task>(
    `/v2/model-center/tasks${queryOf({
      status: 'completed',
      object,
      model,
      q,
      created_after: from === null ? null : secondsOf(from),
      created_before: to === null ? null : secondsOf(to) + daySeconds,
    })}`,
    pageSize,
  )
  useEffect(() => onTaskChanged(pages.refresh), [pages.refresh])
  useEffect(() => {
    if (models.value === null) void loadModels()
  }, [])
  const changeFilters = (filters: Readonly<Record<string, string | null>>): void =>
    route(`/console/gallery${queryOf({ object, model, q, from, to, ...filters })}`, true)
  const shownTasks = pages.items.filter(({ object: kind, result_expired }) => kind !== 'text' && result_expired !== true)
  const { container, first, end, pixelsBefore, pixelsAfter } = useVisibleRows<HTMLUListElement>(shownTasks.length, itemLayout)
  const isFiltered = [object, model, q || null, from, to].some((filter) => filter !== null)
  return (
    <Page title={t.title} lead={t.lead}>
      <search class="filters">
        <label class="grow">
          <span class="visually-hidden">{t.search}</span>
          <SearchInput value={q} placeholder={t.search} onSearch={(words) => changeFilters({ q: words })} />
        </label>
        <Segmented
          label={texts.value.models.kind}
          name="object"
          value={object ?? 'all'}
          options={(['all', 'video', 'image'] as const).map((value) => ({ value, label: texts.value.models.kinds[value] }))}
          onChange={(value) => changeFilters({ object: value === 'all' ? null : value })}
        />
        <label>
          <span class="visually-hidden">{texts.value.tasks.model}</span>
          <select value={model ?? ''} onChange={({ currentTarget }) => changeFilters({ model: currentTarget.value || null })}>
            <option value="">{texts.value.tasks.allModels}</option>
            {models.value
              ?.filter(({ type }) => type === 'image' || type === 'video')
              .map(({ id }) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
          </select>
        </label>
        <div class="inline-field">
          <DateField label={t.since} value={from} onChange={(value) => changeFilters({ from: value })} />
          <DateField label={t.until} value={to} onChange={(value) => changeFilters({ to: value })} />
        </div>
      </search>
      {pages.error !== null && <ErrorNotice error={pages.error} onRetry={pages.refresh} />}
      {pages.hasMore === null && pages.error === null && <Loading />}
      {pages.hasMore !== null && shownTasks.length === 0 && !pages.isLoading && (
        <section class="empty-state">
          <h2>{isFiltered ? t.noMatch : t.empty}</h2>
          <p>{isFiltered ? (pages.hasMore ? t.searchFurther : t.noMatchHint) : t.emptyHint}</p>
        </section>
      )}
      <ul ref={container} class="gallery-grid" style={{ paddingBlock: `${pixelsBefore}px ${pixelsAfter}px` }}>
        {shownTasks.slice(first, end).map((task) => (
          <GalleryItem key={task.id} task={task} />
        ))}
      </ul>
      {/* A search may have few results, so automatic loading would request many pages. */}
      <MoreButton pages={pages} isAutomatic={q === ''} />
    </Page>
  )
}

function DateField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  return (
    <label class="inline-field">
      <span class="muted">{label}</span>
      <input type="date" value={value ?? ''} onChange={({ currentTarget }) => onChange(currentTarget.value || null)} />
    </label>
  )
}

/** Returns the start of a day in local time as Unix seconds. 0 if the day is invalid. */
function secondsOf(day: string): number {
  const milliseconds = new Date(`${day}T00:00:00`).getTime()
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}
