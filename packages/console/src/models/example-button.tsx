import { useState } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { texts } from '../language/language.ts'

interface ExampleButtonProps {
  model: Model
  onChange: (name: string, value: unknown) => void
}

/** Fills the form with the next example of the model that needs no file. */
export function ExampleButton({ model, onChange }: ExampleButtonProps) {
  const [next, setNext] = useState(0)
  const examples = model.examples.filter((example) => !/"(?:https?:|asset:|data:)/.test(JSON.stringify(example)))
  const example = examples[next % Math.max(1, examples.length)]
  if (example === undefined) return null
  const fill = (): void => {
    for (const [name, value] of Object.entries(example)) if (name !== 'model') onChange(name, value)
    setNext(next + 1)
  }
  return (
    <button type="button" class="button small" onClick={fill}>
      {texts.value.playground.example}
    </button>
  )
}
