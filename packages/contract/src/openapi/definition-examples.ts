import type { AdminModelDefinition } from '../admin-models.ts'
import type { List } from '../list.ts'
import type { Example } from './document-types.ts'

const definition = {
  id: 'flux-2-pro',
  object: 'image',
  title: 'FLUX.2 [pro]',
  description: 'Photorealistic images from words and up to eight references.',
  parameters: {
    prompt: {},
    aspect_ratio: { enum: ['1:1', '16:9', '9:16'] },
    guidance: { type: 'number', minimum: 1, maximum: 20, default: 3.5, title: 'Guidance', 'x-advanced': true },
    reference_images: { maxItems: 8 },
  },
  required: ['prompt'],
  price: { per_image: 0.05 },
}

const storedDefinition: AdminModelDefinition = {
  object: 'model_definition',
  id: 'flux-2-pro',
  source: 'api',
  place: null,
  definition,
  version: 1,
  price: { unit: 'image', credits: { '*': 0.05 } },
  fault: null,
  created: 1_768_478_400,
}

const list: List<AdminModelDefinition> = { object: 'list', items: [storedDefinition], has_more: false, next_cursor: null }

export const definitionExamples = {
  definition: { summary: 'A definition', value: definition },
  change: { summary: 'A change', value: { price: { per_image: 0.06 } } },
  shown: { summary: 'A model of the API', value: storedDefinition },
  list: { summary: 'One model', value: list },
} as const satisfies Record<string, Example>
