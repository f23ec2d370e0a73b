import type { Model, ParameterSchema } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { textOf } from '../parts/text-of.ts'
import { may } from '../session/session.ts'
import { ExampleButton } from './example-button.tsx'
import { ParameterField } from './fields/parameter-field.tsx'
import { ImprovePrompt } from './improve-prompt.tsx'
import type { Values } from './request-state.ts'

interface RequestFormProps {
  model: Model
  values: Values
  /** Error messages by parameter. */
  messages: ReadonlyMap<string, string>
  onChange: (name: string, value: unknown) => void
}

/** Parameters that come first in the form. All others follow in the order of the model. */
const parameterOrder = [
  'prompt',
  'text',
  'image',
  'first_frame',
  'last_frame',
  'reference_images',
  'reference_videos',
  'aspect_ratio',
  'resolution',
  'seconds',
  'n',
  'audio',
]
/** Parameters that are under "More settings" unless the model requires them. */
const advancedNames = new Set(['negative_prompt', 'seed', 'watermark'])

/** Form with one field for each parameter of the model. */
export function RequestForm({ model, values, messages, onChange }: RequestFormProps) {
  const t = texts.value.playground
  const formParameters = Object.entries(model.parameters.properties)
    .filter(([name, { const: constant }]) => name !== 'model' && constant === undefined)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const isAdvanced = ([name, schema]: (typeof formParameters)[number]): boolean =>
    schema['x-advanced'] === true || (advancedNames.has(name) && !model.parameters.required.includes(name))
  const renderField = ([name, schema]: readonly [string, ParameterSchema]) => (
    <ParameterField
      key={name}
      name={name}
      schema={schema}
      isRequired={model.parameters.required.includes(name)}
      value={values[name]}
      message={messages.get(name) ?? null}
      onChange={(value) => onChange(name, value)}
    />
  )
  const advancedParameters = formParameters.filter(isAdvanced)
  const isMedia = model.type === 'image' || model.type === 'video'
  const promptActions = (
    <div class="prompt-actions" key="prompt-actions">
      {isMedia && may('tasks:write') && may('tasks:read') && (
        <ImprovePrompt prompt={textOf(values['prompt'])} purpose={model.type} onChange={(prompt) => onChange('prompt', prompt)} />
      )}
      <ExampleButton model={model} onChange={onChange} />
    </div>
  )
  return (
    <>
      {formParameters
        .filter((entry) => !isAdvanced(entry))
        .map((entry) => (entry[0] === 'prompt' ? [renderField(entry), promptActions] : renderField(entry)))}
      {advancedParameters.length > 0 && (
        <details class="more-settings" open={advancedParameters.some(([name]) => messages.has(name)) || undefined}>
          <summary>{t.moreSettings}</summary>
          <div class="fields">{advancedParameters.map(renderField)}</div>
        </details>
      )}
    </>
  )
}

function rankOf(name: string): number {
  const index = parameterOrder.indexOf(name)
  return index === -1 ? parameterOrder.length : index
}
