import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { queryOf } from '../api/query.ts'
import { texts } from '../language/language.ts'
import { containsWords } from '../parts/contains-words.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loading } from '../parts/loading.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { may } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { loadModels, models, modelsError } from './catalogue.ts'
import { ModelCard } from './model-card.tsx'

const kinds = ['all', 'video', 'image', 'text', 'other'] as const
type Kind = (typeof kinds)[number]

/** Page with the models that the key may see. Each links to its playground. */
export function ModelsPage() {
  const { query, route } = useLocation()
  const t = texts.value.models
  useEffect(() => void loadModels(), [])
  const words = query['q'] ?? ''
  const kind = kinds.find((value) => value === query['kind']) ?? 'all'
  const changeFilters = (filters: { q?: string; kind?: Kind }): void => {
    const { q = words, kind: nextKind = kind } = filters
    route(`/console/models${queryOf({ q, kind: nextKind === 'all' ? null : nextKind })}`, true)
  }
  const allModels = models.value
  const shownModels = allModels?.filter((model) => isOfKind(model, kind) && containsWords(searchText(model), words)) ?? []
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('tasks:write') &&
        may('tasks:read') && (
          <a class="button" href="/console/compare">
            {t.compare}
          </a>
        )
      }
    >
      <search class="filters">
        <label class="grow">
          <span class="visually-hidden">{t.search}</span>
          <input
            type="search"
            value={words}
            placeholder={t.search}
            onInput={({ currentTarget }) => changeFilters({ q: currentTarget.value })}
          />
        </label>
        <Segmented
          label={t.kind}
          name="kind"
          value={kind}
          options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
          onChange={(value) => changeFilters({ kind: value })}
        />
      </search>
      {modelsError.value !== null && <ErrorNotice error={modelsError.value} onRetry={() => void loadModels()} />}
      {allModels === null && modelsError.value === null && <Loading />}
      {allModels !== null && shownModels.length === 0 && <p class="empty">{t.nothingFound}</p>}
      <ul class="model-grid">
        {shownModels.map((model) => (
          <li key={model.id}>
            <ModelCard model={model} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function isOfKind({ type }: Model, kind: Kind): boolean {
  if (kind === 'all') return true
  return kind === 'other' ? !['video', 'image', 'text'].includes(type) : type === kind
}

function searchText({ id, title, description, family }: Model): string {
  return `${id} ${title} ${description} ${family}`
}
