import type { ComponentChildren } from 'preact'

interface SegmentedProps<Value extends string> {
  label: string
  /** Name of the radio group, unique in the page. */
  name: string
  value: Value
  options: readonly { value: Value; label: ComponentChildren }[]
  isLabelShown?: boolean
  onChange: (value: Value) => void
}

/** Segmented control: radio buttons for a few values that look like one control. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, name, value, options, isLabelShown = false, onChange } = props
  return (
    <fieldset class="segmented">
      <legend class={isLabelShown ? 'field-label' : 'visually-hidden'}>{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
