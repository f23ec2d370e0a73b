import { texts } from '../language/language.ts'
import { Field } from './field.tsx'
import { Switch } from './switch.tsx'
import { textOf } from './text-of.ts'

interface CommonField {
  /** Name in the body of the request. */
  name: string
  label: string
  hint?: string
  isRequired?: boolean
}

/** Definition of a form field. Its kind determines the control and the type of the value. */
export type FormField = CommonField &
  (
    | {
        kind: 'text' | 'url' | 'password' | 'number' | 'dateTime' | 'color'
        placeholder?: string
        /** Values that the browser offers while the user types. */
        suggestions?: readonly (readonly [value: string, label: string])[]
      }
    | { kind: 'longText' | 'json' }
    | { kind: 'switch' }
    | { kind: 'image' }
    | { kind: 'choice'; choices: readonly (readonly [value: string, label: string])[] }
    | { kind: 'choices'; choices: readonly (readonly [value: string, label: string])[] }
  )

interface FormFieldProps {
  field: FormField
  value: unknown
  message: string | null
  onChange: (value: unknown) => void
}

export function FormFieldView({ field, value, message, onChange }: FormFieldProps) {
  const { name, label, isRequired = false } = field
  const hint = field.hint ?? (field.kind === 'dateTime' ? timeZoneHint() : undefined)
  if (field.kind === 'switch') {
    return <Switch {...{ name, label, hint, message, onChange }} isOn={value === true} />
  }
  if (field.kind === 'image') {
    return (
      <Field label={label} hint={hint} message={message}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            name={name}
            accept="image/*"
            onChange={({ currentTarget }) => void readDataUri(currentTarget.files?.[0]).then(onChange)}
          />
        )}
      </Field>
    )
  }
  if (field.kind === 'choices') {
    const chosenValues = (value as readonly string[] | undefined) ?? []
    return (
      <fieldset class="field">
        <legend class="field-label">{label}</legend>
        {field.choices.map(([choice, text]) => (
          <label key={choice} class="check">
            <input
              type="checkbox"
              name={name}
              value={choice}
              checked={chosenValues.includes(choice)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosenValues, choice] : chosenValues.filter((value) => value !== choice))
              }
            />
            {text}
          </label>
        ))}
        {message !== null && <p class="field-error">{message}</p>}
      </fieldset>
    )
  }
  return (
    <Field label={label} hint={hint} message={message}>
      {(ids) => {
        const common = { ...ids, name, required: isRequired, value: textOf(value) }
        if (field.kind === 'choice') {
          return (
            <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
              {field.choices.map(([choice, text]) => (
                <option key={choice} value={choice}>
                  {text}
                </option>
              ))}
            </select>
          )
        }
        if (isLong(field)) {
          return (
            <textarea
              {...common}
              rows={field.kind === 'json' ? 8 : 3}
              class={field.kind === 'json' ? 'code' : undefined}
              spellcheck={field.kind !== 'json'}
              onInput={({ currentTarget }) => onChange(currentTarget.value)}
            />
          )
        }
        const { placeholder, suggestions } = field
        const input = (
          <input
            {...common}
            {...({ type: inputTypes[field.kind] } as { type: 'text' })}
            {...(field.kind === 'number' && { step: 'any', inputMode: 'decimal' })}
            {...(placeholder !== undefined && { placeholder })}
            {...(suggestions !== undefined && { list: `${ids.id}-list` })}
            autocomplete="off"
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )
        if (suggestions === undefined) return input
        return (
          <>
            {input}
            <datalist id={`${ids.id}-list`}>
              {suggestions.map(([suggestion, text]) => (
                <option key={suggestion} value={suggestion} label={text} />
              ))}
            </datalist>
          </>
        )
      }}
    </Field>
  )
}

/** A `datetime-local` field has a time in the time zone of the browser. */
function timeZoneHint(): string {
  return texts.value.forms.timeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}

async function readDataUri(file: File | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const reader = new FileReader()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  reader.addEventListener('load', () => resolve(reader.result as string))
  reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')))
  reader.readAsDataURL(file)
  return await promise
}

function isLong(field: FormField): field is FormField & { kind: 'longText' | 'json' } {
  return field.kind === 'longText' || field.kind === 'json'
}

const inputTypes = {
  text: 'text',
  url: 'url',
  password: 'password',
  number: 'number',
  dateTime: 'datetime-local',
  color: 'text',
} as const
