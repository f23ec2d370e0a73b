import { useEffect, useState } from 'preact/hooks'
import type { RouteExplanation } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { texts } from '../../language/language.ts'
import { loadModels } from '../../models/catalogue.ts'
import { ModelSelect } from '../../models/model-select.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { errorText } from '../../parts/error-text.ts'
import { Problem } from '../../parts/problem.tsx'

/** Shows which route a task of a model would take now, and the state of each of its routes. */
export function ExplainDialog({ onClose }: { onClose: () => void }) {
  const t = texts.value
  const [model, setModel] = useState('')
  const [explanation, setExplanation] = useState<RouteExplanation | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => void loadModels(), [])
  useEffect(() => {
    if (model === '') return
    void explain(model)
  }, [model])

  async function explain(modelId: string): Promise<void> {
    try {
      setExplanation(await call<RouteExplanation>('POST', '/admin/v1/routes/explain', { body: { model: modelId } }))
      setProblem(null)
    } catch (error) {
      setProblem(errorText(error, texts.value))
    }
  }

  return (
    <Dialog title={t.explain.title} onClose={onClose} isWide>
      <label class="field">
        <span class="field-label">{t.tasks.model}</span>
        <ModelSelect value={model} emptyLabel={t.playground.choose} onChange={setModel} />
      </label>
      <Problem text={problem} />
      {explanation !== null && (
        <>
          <p class={explanation.outcome === 'route' ? 'notice good' : 'notice warning'}>
            {explanation.reason ?? t.explain.takes(explanation.routes.find(({ chosen }) => chosen)?.route ?? '')}
          </p>
          <DataTable
            label={t.explain.title}
            rows={explanation.routes}
            keyOf={({ route, upstream }) => `${route} ${upstream}`}
            columns={[
              { label: t.routing.route, cell: ({ route, chosen }) => (chosen ? <strong>{route}</strong> : route) },
              { label: t.routing.upstream, cell: ({ upstream }) => upstream },
              { label: t.routing.state, cell: ({ condition, refusal }) => refusal?.message ?? t.explain.conditions[condition] },
              { label: t.explain.freeSlots, cell: ({ free_slots }) => free_slots, isNumber: true },
              { label: t.routing.priority, cell: ({ priority }) => priority, isNumber: true },
            ]}
          />
        </>
      )}
    </Dialog>
  )
}
