import { useLocation, useRoute } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { Model, Task } from '../api/types.ts'
import { get } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { texts } from '../language/language.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loading } from '../parts/loading.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'
import { may } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { Playground } from './playground.tsx'
import { priceSummary } from './price-summary.ts'
import { loadDraft, valuesOfTask, withTypes, type Values } from './request-state.ts'

/** Page `/console/models/ID`. With `?from=TASK`, the form has the inputs of that task. */
export function PlaygroundPage() {
  const { params } = useRoute()
  const { query } = useLocation()
  const id = params['id'] ?? ''
  const { data: model, error, reload } = useLoad<Model>(`/v2/model-center/models/${encodeURIComponent(id)}`)
  const initial = useInitialValues(id, query['from'] ?? null, query)
  const t = texts.value
  if (error !== null) {
    return (
      <Page title={id}>
        <ErrorNotice error={error} onRetry={reload} />
      </Page>
    )
  }
  if (model === null || initial === null) {
    return (
      <Page title={id}>
        <Loading />
      </Page>
    )
  }
  return (
    <Page
      title={model.title}
      lead={
        <>
          <code>{model.id}</code> · {priceSummary(model.price, t)}
        </>
      }
    >
      <Playground key={model.id} model={model} initial={withTypes(model, initial)} />
    </Page>
  )
}

/**
 * Returns the initial values of the form: the inputs of the task, or the stored draft if they
 * cannot be read. Without a task, returns the draft, overridden by the parameters of the URL. Null
 * while loading.
 */
function useInitialValues(modelId: string, taskId: string | null, query: Readonly<Record<string, string>>): Values | null {
  const [loaded, setLoaded] = useState<{ source: string; values: Values } | null>(null)
  const source = `${modelId} ${taskId ?? ''}`
  useEffect(() => {
    const { from: _from, ...queryValues } = query
    if (taskId === null) return setLoaded({ source, values: { ...loadDraft(modelId), ...queryValues } })
    if (!may('tasks:read')) {
      notify(texts.value.playground.inputsForbidden)
      return setLoaded({ source, values: loadDraft(modelId) })
    }
    get<Task>(`/v2/model-center/tasks/${taskId}`).then(
      (task) => setLoaded({ source, values: valuesOfTask(task) }),
      (error: unknown) => {
        notifyError(error)
        setLoaded({ source, values: loadDraft(modelId) })
      },
    )
  }, [source])
  return loaded?.source === source ? loaded.values : null
}
