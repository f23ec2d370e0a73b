import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { errorText } from '../parts/error-text.ts'
import { Problem } from '../parts/problem.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { may } from '../session/session.ts'
import { CodeView } from './code/code-view.tsx'
import { PriceLine } from './price-line.tsx'
import { RequestForm } from './request-form.tsx'
import { bodyOf, messagesByParameter, storeDraft, type Values } from './request-state.ts'
import { RunView } from './result/run-view.tsx'
import { useQuote } from './use-quote.ts'
import { useRun } from './use-run.ts'
import { randomSeed } from './random-seed.ts'

/** Prompt for price quotes before the user has typed one. */
const placeholderPrompt = '…'

/** The form of a model with the price of the request, and the result or the code beside it. */
export function Playground({ model, initial }: { model: Model; initial: Values }) {
  const t = texts.value.playground
  const [values, setValues] = useState(initial)
  const [touchedNames, setTouchedNames] = useState<ReadonlySet<string>>(new Set())
  const [tab, setTab] = useState<'result' | 'code'>('result')
  const run = useRun()
  const output = useRef<HTMLDivElement>(null)
  // On a phone the output is below the form. A user who does not see the task would submit it again.
  useEffect(() => {
    if (run.task !== null) showTop(output.current)
  }, [run.task?.id])
  const body = bodyOf(model, values)
  const isTaskModel = model.endpoints.v2 !== undefined
  const needsPrompt = 'prompt' in model.parameters.properties && !('prompt' in body)
  const quotedBody = needsPrompt ? { ...body, prompt: placeholderPrompt } : body
  const isQuotable = isTaskModel && isComplete(model, quotedBody)
  const { quote, error } = useQuote(quotedBody, isQuotable)
  useEffect(() => storeDraft(model.id, values), [model.id, values])

  const canVary = 'seed' in model.parameters.properties && may('tasks:write')
  const { submitError } = run
  const messages = messagesByParameter([...(submitError?.violations ?? []), ...(error?.violations ?? [])])
  const shownMessages = new Map(
    [...messages].filter(
      ([name]) => touchedNames.has(name) || submitError?.violations.some(({ pointer }) => pointer.startsWith(`/${name}`)),
    ),
  )

  // True if every violation belongs to a field of the form, which then shows its message.
  const isShownAtFields =
    submitError !== null &&
    submitError.violations.length > 0 &&
    [...messagesByParameter(submitError.violations).keys()].every((name) => name in model.parameters.properties)
  const submitProblem = submitError === null ? null : isShownAtFields ? t.correctFields : errorText(submitError, texts.value)

  function change(name: string, value: unknown): void {
    setTouchedNames((previous) => new Set(previous).add(name))
    setValues((previous) => ({ ...previous, [name]: value }))
  }

  async function generate(): Promise<void> {
    if (run.isSubmitting || !isTaskModel || !may('tasks:write')) return
    setTab('result')
    await run.submit(body)
  }

  /** Runs the request with a new seed. The form then shows the seed. */
  async function vary(): Promise<void> {
    const seed = randomSeed(model.parameters.properties['seed'] ?? {})
    change('seed', seed)
    await run.submit({ ...body, seed })
  }

  return (
    <div class="playground">
      <form
        class="playground-form"
        onSubmit={(event) => {
          event.preventDefault()
          void generate()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void generate()
        }}
        noValidate
      >
        <RequestForm model={model} values={values} messages={shownMessages} onChange={change} />
        {isTaskModel && (
          <div class="generate-bar">
            <PriceLine quote={quote} isExpected={isQuotable && error === null} />
            <button
              type="submit"
              class="button primary large"
              aria-busy={run.isSubmitting}
              disabled={run.isSubmitting || !may('tasks:write')}
            >
              {run.isSubmitting ? texts.value.tasks.submitting : t.generate}
            </button>
            {!may('tasks:write') && <p class="muted small">{t.readOnly}</p>}
            <Problem text={submitProblem} />
          </div>
        )}
      </form>
      <div class="playground-output" ref={output}>
        <Tabs
          label={t.output}
          chosen={isTaskModel ? tab : 'code'}
          onChoose={setTab}
          tabs={[
            ...(isTaskModel
              ? [
                  {
                    name: 'result' as const,
                    label: t.result,
                    content: <RunView run={run} {...(canVary && { onVary: () => void vary() })} />,
                  },
                ]
              : []),
            { name: 'code' as const, label: t.code, content: <CodeView model={model} body={body} /> },
          ]}
        />
      </div>
    </div>
  )
}

/** Scrolls the beginning of an element into view, unless it is in the upper half of the window. */
function showTop(element: HTMLElement | null): void {
  if (element === null) return
  const { top } = element.getBoundingClientRect()
  if (top >= 0 && top < innerHeight / 2) return
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({ behavior: isMotionReduced ? 'auto' : 'smooth' })
}

/** Whether the request has all required parameters, so that the service can return its price. */
function isComplete({ parameters: { required, anyOf } }: Model, body: Readonly<Record<string, unknown>>): boolean {
  const hasAll = (names: readonly string[]): boolean => names.every((name) => name in body)
  return hasAll(required) && (anyOf === undefined || anyOf.some((set) => hasAll(set.required)))
}
