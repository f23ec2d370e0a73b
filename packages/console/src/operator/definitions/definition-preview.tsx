import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Model } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { priceSummary } from '../../models/price-summary.ts'
import { RequestForm } from '../../models/request-form.tsx'
import { errorText } from '../../parts/error-text.ts'

interface DefinitionPreviewProps {
  /** The stored definition. */
  before: Readonly<Record<string, unknown>>
  /** The new values as JSON text. Omitted fields keep their values, and null removes a field. */
  change: unknown
}

/** Time without typing after which the preview is requested. */
const typingPauseMs = 400
const noMessages: ReadonlyMap<string, string> = new Map()

/** The playground's form for a definition that is not saved yet, or the error of an invalid one. */
export function DefinitionPreview({ before, change }: DefinitionPreviewProps) {
  const t = texts.value
  const [model, setModel] = useState<Model | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isOutdated = false
    const timer = setTimeout(() => void preview(), typingPauseMs)
    async function preview(): Promise<void> {
      const changedFields = readObject(change)
      if (changedFields === null) return
      try {
        const body = changedDefinition(before, changedFields)
        const previewedModel = await call<Model>('POST', '/admin/v1/models/preview', { body })
        if (isOutdated) return
        setModel(previewedModel)
        setError(null)
      } catch (problem) {
        if (!isOutdated) setError(problem)
      }
    }
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [before, change])
  return (
    <section class="definition-preview" aria-label={t.definitions.formPreview}>
      <h3>{t.definitions.formPreview}</h3>
      {error !== null && (
        <p class="field-error" role="status">
          {errorText(error, t)}
        </p>
      )}
      {error === null && model !== null && (
        <fieldset disabled>
          <RequestForm model={model} values={{}} messages={noMessages} onChange={() => {}} />
          <p class="muted">{priceSummary(model.price, t)}</p>
        </fieldset>
      )}
    </section>
  )
}

function readObject(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== 'string') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function changedDefinition(before: DefinitionPreviewProps['before'], change: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
}
