import { texts } from '../../language/language.ts'
import { Field, type ControlIds } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { randomSeed } from '../random-seed.ts'
import type { FieldProps } from './field-props.ts'
import { textOf } from '../../parts/text-of.ts'

/** Maximum number of steps for which a slider is shown. */
const sliderStepsMax = 100

/** Field for a number: with a slider for a small range, and with a random button for a seed. */
export function NumberField({ name, label, schema, value, message, onChange }: FieldProps) {
  const { minimum, maximum, multipleOf, type, description } = schema
  const step = multipleOf ?? (type === 'integer' ? 1 : 'any')
  const shownNumber = typeof value === 'number' ? value : schema.default
  const change = (text: string): void => onChange(text === '' ? undefined : Number(text))
  const isSlider =
    minimum !== undefined && maximum !== undefined && (maximum - minimum) / (step === 'any' ? 0.01 : step) <= sliderStepsMax
  const bounds = { min: minimum, max: maximum, step }
  const inputOf = (ids: ControlIds) => (
    <input
      {...ids}
      type="number"
      {...bounds}
      name={name}
      value={textOf(shownNumber)}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
  return (
    <Field label={label} hint={isSlider ? undefined : description} message={message}>
      {(ids) =>
        isSlider ? (
          <div class="slider">
            <input
              type="range"
              {...bounds}
              aria-label={label}
              value={typeof shownNumber === 'number' ? shownNumber : minimum}
              onInput={({ currentTarget }) => change(currentTarget.value)}
            />
            {inputOf(ids)}
          </div>
        ) : (
          <div class="input-row">
            {inputOf(ids)}
            {name === 'seed' && (
              <button type="button" class="button" onClick={() => onChange(randomSeed(schema))}>
                <Icon name="dice" size={16} />
                {texts.value.playground.random}
              </button>
            )}
          </div>
        )
      }
    </Field>
  )
}
