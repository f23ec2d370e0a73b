import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { PriceLine } from '../models/price-line.tsx'
import { RunView } from '../models/result/run-view.tsx'
import { useQuote } from '../models/use-quote.ts'
import { useRun } from '../models/use-run.ts'
import { errorText } from '../parts/error-text.ts'
import { Icon } from '../parts/icon.tsx'

interface CompareColumnProps {
  offered: readonly Model[]
  /** Number of the column, counted from 1. */
  position: number
  modelId: string
  prompt: string
  /** Number of times that the user has pressed the button that starts all columns. */
  runCount: number
  onModel: (id: string) => void
  onRemove: (() => void) | null
}

export function CompareColumn({ offered, position, modelId, prompt, runCount, onModel, onRemove }: CompareColumnProps) {
  const t = texts.value
  const run = useRun()
  const { quote, error } = useQuote({ model: modelId, prompt }, prompt.trim() !== '')
  const submittedRunCount = useRef(runCount)
  useEffect(() => {
    // A column that is added or changes its model waits until the button is pressed again.
    if (runCount === submittedRunCount.current) return
    submittedRunCount.current = runCount
    void run.submit({ model: modelId, prompt })
  }, [runCount])
  return (
    <div class="compare-column">
      <header class="input-row">
        <select aria-label={t.tasks.model} value={modelId} onChange={({ currentTarget }) => onModel(currentTarget.value)}>
          {offered.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
        {onRemove !== null && (
          <button type="button" class="button quiet icon-only" aria-label={t.media.remove(modelId)} onClick={onRemove}>
            <Icon name="close" size={16} />
          </button>
        )}
      </header>
      <PriceLine quote={quote} isExpected={prompt.trim() !== '' && error === null} />
      {run.submitError !== null && <p class="field-error">{errorText(run.submitError, t)}</p>}
      <RunView run={run} label={`${t.playground.result} ${position}`} />
    </div>
  )
}
