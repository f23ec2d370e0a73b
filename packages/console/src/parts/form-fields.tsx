import { FormFieldView, type FormField } from './form-field.tsx'
import type { FormValues } from './form-values.ts'

interface FormFieldsProps {
  fields: readonly FormField[]
  values: FormValues
  /** Error messages by the name of their field. */
  messages?: ReadonlyMap<string, string>
  hasColumns: boolean
  onChange: (name: string, value: unknown) => void
}

/** The fields of a form, stacked or in columns. */
export function FormFields({ fields, values, messages, hasColumns, onChange }: FormFieldsProps) {
  return (
    <div class={hasColumns ? 'form-columns' : 'form'}>
      {fields.map((field) => (
        <FormFieldView
          key={field.name}
          field={field}
          value={values[field.name]}
          message={messages?.get(field.name) ?? null}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  )
}
