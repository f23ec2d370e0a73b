import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { messagesByParameter } from '../models/request-state.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { errorText } from './error-text.ts'
import type { FormField } from './form-field.tsx'
import { FormFields } from './form-fields.tsx'
import { bodyOfForm, InvalidEntry, requireReadable, type FormValues } from './form-values.ts'
import { Problem } from './problem.tsx'

interface FormDialogProps {
  title: string
  button: string
  fields: readonly FormField[]
  /** Initial values. With `isChange`, only values that differ from them are sent. */
  initial?: FormValues
  isChange?: boolean
  lead?: ComponentChildren
  /** Content below the fields, for example a preview of their values. */
  footer?: (values: FormValues) => ComponentChildren
  /**
   * Returns the question to confirm before the body is sent. Null: it is sent without a question.
   */
  questionOf?: (body: FormValues) => string | null
  /** Sends the body. The dialog closes, or shows the error if the promise rejects. */
  onSubmit: (body: FormValues) => Promise<void>
  onClose: () => void
}

/** A form in a dialog, which keeps its input if the request fails. */
export function FormDialog(props: FormDialogProps) {
  const { title, button, fields, initial = {}, isChange = false, lead, footer, questionOf, onSubmit, onClose } = props
  const [values, setValues] = useState(initial)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [confirmation, setConfirmation] = useState<{ question: string; body: FormValues } | null>(null)
  const hasColumns = fields.length > 6
  const isWide = hasColumns || footer !== undefined
  const messages = messagesOf(error)
  const isShownAtField = fields.some(({ name }) => messages.has(name))

  async function submit(form: HTMLFormElement): Promise<void> {
    try {
      requireReadable(form, texts.value.playground.unreadable)
      const body = bodyOfForm(fields, values, isChange ? initial : null, texts.value.playground.notJson)
      const question = questionOf?.(body) ?? null
      if (question === null) await send(body)
      else setConfirmation({ question, body })
    } catch (problem) {
      setError(problem)
    }
  }

  async function send(body: FormValues): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await onSubmit(body)
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        {lead !== undefined && <p class="muted">{lead}</p>}
        <FormFields
          {...{ fields, values, messages }}
          hasColumns={hasColumns}
          onChange={(name, value) => setValues((previous) => ({ ...previous, [name]: value }))}
        />
        {footer?.(values)}
        <Problem text={error === null || isShownAtField ? null : errorText(error, texts.value)} />
        <DialogActions onClose={onClose}>
          <button type="submit" class="button primary" disabled={isBusy}>
            {button}
          </button>
        </DialogActions>
      </form>
      {confirmation !== null && (
        <ConfirmDialog
          title={title}
          question={confirmation.question}
          button={button}
          isDestructive={false}
          onConfirm={() => send(confirmation.body)}
          onClose={() => setConfirmation(null)}
        />
      )}
    </Dialog>
  )
}

/** Returns the messages of an error by the names of their fields. */
function messagesOf(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof InvalidEntry) return new Map([[error.field, error.message]])
  if (!(error instanceof ApiError)) return new Map()
  const messages = new Map(messagesByParameter(error.violations))
  if (error.param !== null && !messages.has(error.param)) messages.set(error.param, error.message)
  return messages
}
