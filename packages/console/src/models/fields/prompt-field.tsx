import { useLayoutEffect, useRef } from 'preact/hooks'
import { count } from '../../language/language.ts'
import { Field } from '../../parts/field.tsx'
import type { FieldProps } from './field-props.ts'

const heightPixelsMax = 420
/** Share of the maximum length above which the number of characters is shown. */
const shareWithoutCounter = 0.5

/** Text field that grows with its text. */
export function PromptField({ name, label, schema, isRequired, value, message, onChange }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const text = typeof value === 'string' ? value : ''
  const { maxLength = Infinity } = schema
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(heightPixelsMax, element.scrollHeight + 2)}px`
  }, [text])
  // Counts code points like the service, so that an emoji counts once.
  const characters = Array.from(text).length
  const isCounterShown = characters > maxLength * shareWithoutCounter
  return (
    <Field
      label={label}
      message={message}
      aside={
        isCounterShown && (
          <span class={characters > maxLength ? 'counter over' : 'counter'}>
            {count(characters)} / {count(maxLength)}
          </span>
        )
      }
    >
      {(ids) => (
        <textarea
          {...ids}
          ref={field}
          name={name}
          class="prompt"
          dir="auto"
          rows={name === 'prompt' ? 4 : 2}
          required={isRequired}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
