import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  first_frame,
  last_frame,
  onlyResolution,
  prompt,
  referenceImages,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared = {
  prompt,
  first_frame,
  last_frame,
  aspect_ratio,
  seconds: secondsBetween(4, 15, 5),
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const capabilities = ['text-to-video', 'image-to-video', 'first-and-last-frame'] as const

const examples: ModelRow['examples'] = [
  { prompt: 'A city in the rain at night' },
  { prompt: 'She turns and smiles', first_frame: 'https://example.com/portrait.png', aspect_ratio: '3:4', seconds: 10 },
]

// The ID of a model ends with `c1` or `c2`, the channel of the provider that serves it. Both channels
// have the same parameters.
export const vidM = defineFamily({
  id: 'vidM',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'vidM-H3_933_1080p',
      displayName: 'VidM H3 933 Full HD',
      title: 'VidM H3 video with references, 1080p',
      description: 'Videos at 1080p from a prompt, frames or up to nine reference images.',
      capabilities: [...capabilities, 'reference-to-video'],
      // Framegate interprets `933` as nine images, three videos and three sounds for reference. The
      // model here supports only the images.
      parameters: { ...shared, reference_images: referenceImages(0, 9), resolution: onlyResolution('1080p') },
      price: perSecond({ '1080p': 0.16 }),
      examples: [
        ...examples,
        {
          prompt: 'The two of them meet on a bridge',
          reference_images: ['https://example.com/a.png', 'https://example.com/b.png'],
        },
      ],
    },
    {
      id: 'vidM-H3-2K-c1',
      displayName: 'VidM H3 2K Channel 1',
      title: 'VidM H3 video, 2K',
      description: 'Videos at 2K from a prompt or frames.',
      capabilities,
      parameters: { ...shared, resolution: onlyResolution('2K') },
      price: perSecond({ '2K': 0.24 }),
      examples,
    },
    {
      id: 'vidM-H3-768p',
      displayName: 'VidM H3 768',
      title: 'VidM H3 video, 768p',
      description: 'Videos at 768p from a prompt or frames.',
      capabilities,
      parameters: { ...shared, resolution: onlyResolution('768p') },
      price: perSecond({ '768p': 0.08 }),
      examples,
    },
    {
      id: 'vidM-H3-768p-c2',
      displayName: 'VidM H3 768 Channel 2',
      title: 'VidM H3 video, 768p, channel 2',
      description: 'Videos at 768p from a prompt or frames, through the second channel.',
      capabilities,
      parameters: { ...shared, resolution: onlyResolution('768p') },
      price: perSecond({ '768p': 0.07 }),
      examples,
    },
  ],
})
