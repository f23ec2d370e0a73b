import { texts } from '../../language/language.ts'
import { Field } from '../../parts/field.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import type { FieldProps } from './field-props.ts'
import { RatioShape } from './ratio-shape.tsx'
import { textOf } from '../../parts/text-of.ts'

const segmentsMax = 5
const ratioPattern = /^\d+:\d+$/

/**
 * Field for an enumeration: buttons for aspect ratios and for up to five values, otherwise a menu.
 */
export function ChoiceField({ name, label, schema, isRequired, value, message, onChange }: FieldProps) {
  const choices = schema.enum ?? []
  const chosenValue = value ?? schema.default
  const choose = (text: string): void => onChange(choices.find((choice) => String(choice) === text))
  const isRatio = choices.every((choice) => ratioPattern.test(String(choice)))
  if (isRatio || choices.length <= segmentsMax) {
    return (
      <div class={isRatio ? 'field ratios' : 'field'}>
        <Segmented
          label={label}
          isLabelShown
          name={name}
          value={textOf(chosenValue)}
          options={choices.map((choice) => ({
            value: String(choice),
            label: isRatio ? <RatioShape ratio={String(choice)} /> : String(choice),
          }))}
          onChange={choose}
        />
        {message !== null && <p class="field-error">{message}</p>}
      </div>
    )
  }
  return (
    <Field label={label} hint={schema.description} message={message}>
      {(ids) => (
        <select {...ids} name={name} value={textOf(chosenValue)} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {chosenValue === undefined && <option value="">{isRequired ? texts.value.playground.choose : '—'}</option>}
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
