import { useId } from 'preact/hooks'

interface SwitchProps {
  name: string
  label: string
  hint: string | undefined
  message: string | null
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** A switch with its label beside it, and its hint and error below it. */
export function Switch({ name, label, hint, message, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          name={name}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message !== null && <p class="field-error">{message}</p>}
    </div>
  )
}
