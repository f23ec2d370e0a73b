import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes that associate a control with its label, hint and error. */
export interface ControlIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

interface FieldLayoutProps {
  label: string
  hint?: ComponentChildren
  message?: string | null
  /** Shown to the right of the label. */
  aside?: ComponentChildren
  children: (ids: ControlIds) => ComponentChildren
}

/** A control with its label above it, and its hint and error below it. */
export function Field({ label, hint, message = null, aside, children }: FieldLayoutProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, message !== null && `${id}-message`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <div class="field-head">
        <label class="field-label" for={id}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': message !== null || undefined })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message !== null && (
        <p class="field-error" id={`${id}-message`}>
          {message}
        </p>
      )}
    </div>
  )
}
