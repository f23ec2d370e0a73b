import { useId } from 'preact/hooks'
import type { FieldProps } from './field-props.ts'

export function SwitchField({ name, label, schema, value, message, onChange }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          name={name}
          aria-describedby={`${id}-hint`}
          checked={(value ?? schema.default) === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {schema.description !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {schema.description}
        </p>
      )}
      {message !== null && <p class="field-error">{message}</p>}
    </div>
  )
}
