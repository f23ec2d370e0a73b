import {
  aspectRatios,
  framesPerSecond,
  imagePixelSize,
  imageResolutions,
  describeInputPrice,
  videoPixelSize,
  videoResolutions,
  type PixelSize,
} from '@framegate/contract'
import { allowedValues } from './allowed-values.ts'
import { describeInputLimits } from './input-limits-view.ts'
import type { Family, ModelDefinition, ParameterSchema } from './model.ts'
import { modelView, priceView } from './model-view.ts'

/**
 * Generates the page `docs/models.md` from the catalogue, for `tools/write-model-reference.ts`.
 */
export function modelReference(families: readonly Family[]): string {
  const lines = [
    '# Models',
    '',
    'This page lists the models of the default catalogue and the parameters of their requests.',
    '`node tools/write-model-reference.ts` generates it from the catalogue.',
    '`GET {base_url}/v2/model-center/models/{id}` returns the same parameters as JSON Schema.',
    '',
    'A request must contain the Model ID exactly as printed here, including spaces. A field may be omitted unless it is',
    'required. Prices are in credits. A video is charged by its actual seconds, and never more than the held amount.',
    '',
    'This page shows the definitions. If a model has routes to providers, the service shows only the values that these',
    'routes support ([details](routes.md#parameters-visible-to-clients)).',
    '',
    '| Model ID | Name | Result | v1 path |',
    '|---|---|---|---|',
    ...families.flatMap((family) => family.models.map(overviewRow)),
    '',
    '## Pixels',
    '',
    'The tables show the exact sizes of results that Framegate renders, as width × height. Its videos have',
    `${framesPerSecond} frames per second. Results of a provider may have another size and frame rate.`,
    '',
    ...pixelTable('Images', imageResolutions, imagePixelSize),
    ...pixelTable('Videos', videoResolutions, videoPixelSize),
    ...families.flatMap((family) => [`## ${family.id}`, '', ...family.models.flatMap(modelSection)]),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function pixelTable<Resolution extends string>(
  heading: string,
  resolutions: readonly Resolution[],
  sizeOf: (aspectRatio: (typeof aspectRatios)[number], resolution: Resolution) => PixelSize,
): string[] {
  const rows = aspectRatios.map((ratio) => {
    const sizes = resolutions.map((resolution) => sizeOf(ratio, resolution))
    return `| ${ratio} | ${sizes.map(({ width, height }) => `${width} × ${height}`).join(' | ')} |`
  })
  return [`| ${heading} | ${resolutions.join(' | ')} |`, `|${'---|'.repeat(resolutions.length + 1)}`, ...rows, '']
}

function overviewRow(model: ModelDefinition): string {
  const v1 = modelView(model).endpoints.v1
  return `| \`${model.id}\` | ${model.displayName} | ${model.object} | ${v1 === undefined ? '' : `\`${v1}\``} |`
}

function modelSection(model: ModelDefinition): string[] {
  const { required } = model.parameters
  const { model: _model, ...parameters } = model.parameters.properties
  const limitsText = describeInputLimits(model.inputLimits)
  return [
    `### ${model.title}`,
    '',
    `\`${model.id}\``,
    '',
    model.description,
    ...(model.availability.available
      ? []
      : [
          `The default brand shows this model, but rejects requests for it (\`${model.availability.reason}\`) until an operator enables it.`,
        ]),
    ...(model.fixedResolution === null ? [] : [`Its resolution is always ${model.fixedResolution} and cannot be specified.`]),
    '',
    `- Capabilities: ${model.capabilities.join(', ')}`,
    `- Price: ${describePrice(model)}`,
    ...(limitsText === null ? [] : [`- Limits of input files: ${limitsText}`]),
    `- Deadline of an attempt: ${model.limits.deadlineSeconds / 60} minutes`,
    '',
    '| Parameter | Required | Values | Default | Meaning |',
    '|---|---|---|---|---|',
    ...Object.entries(parameters).map(([name, schema]) => parameterRow(name, schema, required.includes(name))),
    '',
    ...(model.parameters.dependentRequired ? ['`last_frame` requires `first_frame`.', ''] : []),
    '```json',
    ...model.examples.map((example) => JSON.stringify(example)),
    '```',
    '',
  ]
}

function parameterRow(name: string, schema: ParameterSchema, isRequired: boolean): string {
  const defaultValue = schema.default === undefined ? '' : textOf(schema.default)
  return `| \`${name}\` | ${isRequired ? 'yes' : ''} | ${allowedValues(schema)} | ${defaultValue} | ${schema.description ?? ''} |`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describePrice({ price }: ModelDefinition): string {
  if (price === null) return 'not set'
  const view = priceView(price)
  const rates = Object.entries(view.credits).map(([resolution, credits]) =>
    resolution === '*' ? String(credits) : `${credits} at ${resolution}`,
  )
  const inputPrices = describeInputPrice(view).map((part) => `; ${part}`)
  if (view.unit !== 'second') return `${rates.join(', ')} per ${view.unit}${inputPrices.join('')}`
  const sound = view.audio_credits > 0 ? `; ${view.audio_credits} more with audio` : ''
  const minimum = view.minimum_credits > 0 ? `; at least ${view.minimum_credits}` : ''
  return `${rates.join(', ')} per second${sound}${minimum}${inputPrices.join('')}`
}
