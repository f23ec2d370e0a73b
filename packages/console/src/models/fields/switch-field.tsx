import { Switch } from '../../parts/switch.tsx'
import type { FieldProps } from './field-props.ts'

export function SwitchField({ name, label, schema, value, message, onChange }: FieldProps) {
  const isOn = (value ?? schema.default) === true
  return <Switch {...{ name, label, message, isOn, onChange }} hint={schema.description} />
}
