import { useState } from 'preact/hooks'
import type { Model } from '../api/types.ts'
import { texts } from '../language/language.ts'

interface ExampleButtonProps {
  model: Model
  onChange: (name: string, value: unknown) => void
}

/** Button that fills the form with the next of the model's examples without input files. */
export function ExampleButton({ model, onChange }: ExampleButtonProps) {
  const [nextIndex, setNextIndex] = useState(0)
  const examples = model.examples.filter((example) => !/"(?:https?:|asset:|data:)/.test(JSON.stringify(example)))
  const example = examples[nextIndex % Math.max(1, examples.length)]
  if (example === undefined) return null
  const fill = (): void => {
    for (const [name, value] of Object.entries(example)) if (name !== 'model') onChange(name, value)
    setNextIndex(nextIndex + 1)
  }
  return (
    <button type="button" class="button small" onClick={fill}>
      {texts.value.playground.example}
    </button>
  )
}
