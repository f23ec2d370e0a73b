import type { ParameterSchema } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { ChoiceField } from './choice-field.tsx'
import type { FieldProps } from './field-props.ts'
import { JsonField } from './json-field.tsx'
import { MediaField, mediaKindOf } from './media-field.tsx'
import { NumberField } from './number-field.tsx'
import { PromptField } from './prompt-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { TextField } from './text-field.tsx'

/** Maximum length of texts that get a single-line field. */
const lineCharactersMax = 200

/** Selects the field that fits the schema of a parameter. */
export function ParameterField(props: Omit<FieldProps, 'label'>) {
  const Field = fieldFor(props.schema)
  return <Field {...props} label={labelOf(props.name, props.schema)} />
}

function fieldFor(schema: ParameterSchema): (props: FieldProps) => preact.JSX.Element {
  if (mediaKindOf(schema) !== null) return MediaField
  if (schema.enum !== undefined) return ChoiceField
  switch (schema.type) {
    case 'boolean':
      return SwitchField
    case 'integer':
    case 'number':
      return NumberField
    case 'string':
      return (schema.maxLength ?? Infinity) > lineCharactersMax ? PromptField : TextField
    default:
      return JsonField
  }
}

function labelOf(name: string, { title }: ParameterSchema): string {
  const label = (texts.value.parameters as Readonly<Record<string, string>>)[name]
  if (label !== undefined) return label
  const words = title ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
