import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { errorText } from '../parts/error-text.ts'

interface KeyFormProps {
  button: string
  initialProblem?: string | null
  /** Called with the key. If it rejects, the form shows the error. */
  onKey: (key: string) => Promise<void>
}

const textField = { type: 'text' } as const
const passwordField = { type: 'password' } as const

/** Form with a field for an API key, which password managers can fill in. */
export function KeyForm({ button, initialProblem = null, onKey }: KeyFormProps) {
  const t = texts.value.signIn
  const [problem, setProblem] = useState(initialProblem)
  const [isBusy, setBusy] = useState(false)
  const [isShown, setShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function submit(): Promise<void> {
    const key = field.current?.value.trim() ?? ''
    if (key === '') {
      setProblem(t.missing)
      field.current?.focus()
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      await onKey(key)
    } catch (error) {
      setProblem(errorText(error, texts.value))
      setBusy(false)
      field.current?.select()
    }
  }

  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label class="field">
        <span class="field-label">{t.key}</span>
        <span class="input-row">
          <input
            ref={field}
            {...(isShown ? textField : passwordField)}
            name="key"
            autocomplete="current-password"
            spellcheck={false}
            placeholder="fg_live_…"
            aria-invalid={problem !== null}
            aria-describedby="key-problem"
          />
        </span>
      </label>
      <label class="check">
        <input type="checkbox" checked={isShown} onChange={({ currentTarget }) => setShown(currentTarget.checked)} />
        {t.show}
      </label>
      <p id="key-problem" class="field-error" role="alert">
        {problem}
      </p>
      <button type="submit" class="button primary" disabled={isBusy}>
        {button}
      </button>
    </form>
  )
}
