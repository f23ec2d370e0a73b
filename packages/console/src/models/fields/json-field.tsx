import { useState } from 'preact/hooks'
import { texts } from '../../language/language.ts'
import { Field } from '../../parts/field.tsx'
import type { FieldProps } from './field-props.ts'

/** Field for a list or an object, typed as JSON. */
export function JsonField({ name, label, schema, value, message, onChange }: FieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [isBroken, setBroken] = useState(false)
  function change(typed: string): void {
    setText(typed)
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed))
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <Field label={label} hint={schema.description} message={isBroken ? texts.value.playground.notJson : message}>
      {(ids) => (
        <textarea
          {...ids}
          name={name}
          class="code"
          rows={3}
          spellcheck={false}
          placeholder={schema.type === 'array' ? '[]' : '{}'}
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  )
}
