import { models } from './catalogue.ts'

interface ModelSelectProps {
  /** Model ID. Empty if none is chosen. */
  value: string
  /** Label of the empty choice. */
  emptyLabel: string
  onChange: (id: string) => void
}

/** Menu of the models that the key may see. */
export function ModelSelect({ value, emptyLabel, onChange }: ModelSelectProps) {
  return (
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{emptyLabel}</option>
      {models.value?.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}
