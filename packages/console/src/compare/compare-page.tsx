import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { queryOf } from '../api/query.ts'
import { texts } from '../language/language.ts'
import { loadModels, models } from '../models/catalogue.ts'
import { PromptField } from '../models/fields/prompt-field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../shell/page.tsx'
import { CompareColumn } from './compare-column.tsx'

const columnsMax = 4

/** Page that sends one prompt to up to four models and shows their results side by side. */
export function ComparePage() {
  const { query, route } = useLocation()
  const t = texts.value
  const [prompt, setPrompt] = useState(query['prompt'] ?? '')
  const [runCount, setRunCount] = useState(0)
  useEffect(() => void loadModels(), [])
  const offeredModels = models.value?.filter(isComparable) ?? []
  const ids = (query['models'] ?? '').split(',').filter((id) => id !== '')
  const chosenIds = ids.length > 0 ? ids : offeredModels.slice(0, 2).map(({ id }) => id)
  const showModels = (modelIds: readonly string[]): void =>
    route(`/console/compare${queryOf({ models: modelIds.join(',') })}`, true)
  return (
    <Page title={t.compare.title} lead={t.compare.lead}>
      {models.value === null && <Loading />}
      <form
        class="compare-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (prompt.trim() !== '') setRunCount((count) => count + 1)
        }}
      >
        <PromptField
          name="prompt"
          label={t.parameters.prompt}
          schema={{ type: 'string' }}
          isRequired
          value={prompt}
          message={null}
          onChange={(value) => setPrompt(String(value))}
        />
        <div class="result-actions">
          <button type="submit" class="button primary large" disabled={prompt.trim() === ''}>
            {t.playground.generate}
          </button>
          {chosenIds.length < columnsMax && offeredModels[0] !== undefined && (
            <button type="button" class="button" onClick={() => showModels([...chosenIds, offeredModels[0]?.id ?? ''])}>
              {t.compare.add}
            </button>
          )}
        </div>
      </form>
      <div class="compare-columns">
        {chosenIds.map((id, index) => (
          <CompareColumn
            key={`${index} ${id}`}
            offered={offeredModels}
            position={index + 1}
            modelId={id}
            prompt={prompt}
            runCount={runCount}
            onModel={(otherId) => showModels(chosenIds.map((chosenId, position) => (position === index ? otherId : chosenId)))}
            onRemove={chosenIds.length > 1 ? () => showModels(chosenIds.filter((_, position) => position !== index)) : null}
          />
        ))}
      </div>
    </Page>
  )
}

/** Whether the model is available and generates an image or a video from a prompt alone. */
function isComparable({ available, type, parameters: { required, anyOf } }: Model): boolean {
  const isMedia = type === 'image' || type === 'video'
  return available && isMedia && required.every((name) => name === 'model' || name === 'prompt') && anyOf === undefined
}
