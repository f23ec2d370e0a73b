import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { messagesByParameter } from '../models/request-state.ts'
import { Dialog } from './dialog.tsx'
import { errorText } from './error-text.ts'
import { FormFieldView, type FormField } from './form-field.tsx'
import { bodyOfForm, WrongEntry, type FormValues } from './form-values.ts'

interface FormDialogProps {
  title: string
  button: string
  fields: readonly FormField[]
  /** Values at first. With `isChange`, only those that differ are sent. */
  initial?: FormValues
  isChange?: boolean
  lead?: ComponentChildren
  /** Sends the body. The dialog shows the error at its field if it rejects, and closes otherwise. */
  onSubmit: (body: FormValues) => Promise<void>
  onClose: () => void
}

/** A form in a dialog. What was typed stays when the service refuses it. */
export function FormDialog(props: FormDialogProps) {
  const { title, button, fields, initial = {}, isChange = false, lead, onSubmit, onClose } = props
  const [values, setValues] = useState(initial)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
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
    <Dialog title={title} onClose={onClose} isWide={fields.length > 6}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {lead !== undefined && <p class="muted">{lead}</p>}
        <div class={fields.length > 6 ? 'form-columns' : 'form'}>
          {fields.map((field) => (
            <FormFieldView
              key={field.name}
              field={field}
              value={values[field.name]}
              message={messages.get(field.name) ?? null}
              onChange={(value) => setValues((known) => ({ ...known, [field.name]: value }))}
            />
          ))}
        </div>
        {error !== null && !isShownAtField && (
          <p class="field-error" role="alert">
            {errorText(error, texts.value)}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {texts.value.actions.cancel}
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            {button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function messagesOf(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof WrongEntry) return new Map([[error.field, error.message]])
  if (!(error instanceof ApiError)) return new Map()
  const messages = new Map(messagesByParameter(error.violations))
  if (error.param !== null && !messages.has(error.param)) messages.set(error.param, error.message)
  return messages
}
