import { models } from './catalogue.ts'

interface ModelSelectProps {
  /** Empty if none is chosen. */
  value: string
  /** Label of the choice of none. */
  none: string
  onChange: (id: string) => void
}

/** Chooses one of the models that the key may see. */
export function ModelSelect({ value, none, onChange }: ModelSelectProps) {
  return (
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{none}</option>
      {models.value?.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}
