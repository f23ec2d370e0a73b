import { Field } from '../../parts/field.tsx'
import type { FieldProps } from './field-props.ts'
import { textOf } from '../../parts/text-of.ts'

export function TextField({ name, label, schema, isRequired, value, message, onChange }: FieldProps) {
  return (
    <Field label={label} hint={schema.description} message={message}>
      {(ids) => (
        <input
          {...ids}
          type="text"
          dir="auto"
          name={name}
          required={isRequired}
          placeholder={textOf(schema.default)}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
