import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  last_frame,
  negative_prompt,
  prompt,
  referenceImages,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared = {
  prompt,
  negative_prompt,
  reference_images: referenceImages(0, 9),
  first_frame,
  last_frame,
  aspect_ratio,
  audio,
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const generation20 = { ...shared, resolution: resolutionSchema('720p', '480p', '1080p'), seconds: secondsBetween(4, 15, 5) }
// The variants `fast` and `mini` are faster and cheaper, and do not support 1080p.
const generation20Small = { ...shared, resolution: resolutionSchema('720p', '480p'), seconds: secondsBetween(4, 15, 5) }
const generation25 = { ...shared, resolution: resolutionSchema('720p', '480p', '1080p'), seconds: secondsBetween(4, 30, 5) }

const capabilities = ['text-to-video', 'image-to-video', 'first-and-last-frame', 'reference-to-video', 'audio'] as const

const examples: ModelRow['examples'] = [
  { prompt: 'A red fox in a meadow at dawn, slow pan' },
  {
    prompt: 'The flower opens as the sun rises',
    first_frame: 'https://example.com/bud.png',
    last_frame: 'https://example.com/bloom.png',
    aspect_ratio: '9:16',
    seconds: 8,
    audio: true,
  },
]

export const sd = defineFamily({
  id: 'sd',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'sd_2.5_discount_v1',
      displayName: 'SD 2.5 Discount',
      title: 'SD 2.5 video, discount line',
      description: 'The newest generation at the lowest price, with longer waits at busy hours.',
      capabilities,
      parameters: generation25,
      price: perSecond({ '480p': 0.05, '720p': 0.1, '1080p': 0.22 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.5_special_v1',
      displayName: 'SD 2.5 Special',
      title: 'SD 2.5 video, special line',
      description: 'The newest generation, with priority.',
      capabilities,
      parameters: generation25,
      price: perSecond({ '480p': 0.07, '720p': 0.14, '1080p': 0.31 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_fast_special',
      displayName: 'SD 2.0 Fast Special',
      title: 'SD 2.0 fast video, special line',
      description: 'Quick drafts up to 720p, with priority.',
      capabilities,
      parameters: generation20Small,
      price: perSecond({ '480p': 0.04, '720p': 0.08 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_mini_special',
      displayName: 'SD 2.0 Mini Special',
      title: 'SD 2.0 mini video, special line',
      description: 'The smallest model of its generation, up to 720p, with priority.',
      capabilities,
      parameters: generation20Small,
      price: perSecond({ '480p': 0.025, '720p': 0.05 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_special',
      displayName: 'SD 2.0 Special',
      title: 'SD 2.0 video, special line',
      description: 'The full model of its generation, with priority.',
      capabilities,
      parameters: generation20,
      price: perSecond({ '480p': 0.06, '720p': 0.12, '1080p': 0.27 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_discount',
      displayName: 'SD 2.0 Discount',
      title: 'SD 2.0 video, discount line',
      description: 'The full model of its generation at the lowest price, with longer waits at busy hours.',
      capabilities,
      parameters: generation20,
      price: perSecond({ '480p': 0.04, '720p': 0.08, '1080p': 0.18 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_fast_discount',
      displayName: 'SD 2.0 Fast Discount',
      title: 'SD 2.0 fast video, discount line',
      description: 'Quick drafts up to 720p at the lowest price.',
      capabilities,
      parameters: generation20Small,
      price: perSecond({ '480p': 0.03, '720p': 0.06 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'sd_2.0_mini_discount',
      displayName: 'SD 2.0 Mini Discount',
      title: 'SD 2.0 mini video, discount line',
      description: 'The smallest and cheapest model of its generation, up to 720p.',
      capabilities,
      parameters: generation20Small,
      price: perSecond({ '480p': 0.015, '720p': 0.03 }, { audio: 0.02 }),
      examples,
    },
  ],
})
