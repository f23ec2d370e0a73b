import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { messagesByParameter } from '../models/request-state.ts'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { errorText } from './error-text.ts'
import type { FormField } from './form-field.tsx'
import { FormFields } from './form-fields.tsx'
import { bodyOfForm, InvalidEntry, type FormValues } from './form-values.ts'
import { Problem } from './problem.tsx'

interface FormDialogProps {
  title: string
  button: string
  fields: readonly FormField[]
  /** Initial values. With `isChange`, only values that differ from them are sent. */
  initial?: FormValues
  isChange?: boolean
  lead?: ComponentChildren
  /** Sends the body. If it rejects, the dialog shows the error at its field; otherwise it closes. */
  onSubmit: (body: FormValues) => Promise<void>
  onClose: () => void
}

/** A form in a dialog. It keeps its input if the request fails. */
export function FormDialog(props: FormDialogProps) {
  const { title, button, fields, initial = {}, isChange = false, lead, onSubmit, onClose } = props
  const [values, setValues] = useState(initial)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isWide = fields.length > 6
  const messages = messagesOf(error)
  const isShownAtField = fields.some(({ name }) => messages.has(name))

  async function submit(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await onSubmit(bodyOfForm(fields, values, isChange ? initial : null, texts.value.playground.notJson))
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
          void submit()
        }}
      >
        {lead !== undefined && <p class="muted">{lead}</p>}
        <FormFields
          {...{ fields, values, messages }}
          hasColumns={isWide}
          onChange={(name, value) => setValues((previous) => ({ ...previous, [name]: value }))}
        />
        <Problem text={error === null || isShownAtField ? null : errorText(error, texts.value)} />
        <DialogActions onClose={onClose}>
          <button type="submit" class="button primary" disabled={isBusy}>
            {button}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function messagesOf(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof InvalidEntry) return new Map([[error.field, error.message]])
  if (!(error instanceof ApiError)) return new Map()
  const messages = new Map(messagesByParameter(error.violations))
  if (error.param !== null && !messages.has(error.param)) messages.set(error.param, error.message)
  return messages
}
