import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  first_frame,
  onlySeconds,
  prompt,
  referenceImages,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared = {
  prompt,
  reference_images: referenceImages(0, 7),
  first_frame,
  aspect_ratio,
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const capabilities = ['text-to-video', 'image-to-video', 'reference-to-video'] as const

export const vidG = defineFamily({
  id: 'vidG',
  v1Family: 'vidG',
  object: 'video',
  models: [
    {
      id: 'vidG_video3',
      displayName: 'VidG Video 3',
      title: 'VidG 3 video',
      description: 'Videos of 6 to 30 seconds from a prompt, a first frame or up to seven reference images.',
      capabilities,
      parameters: { ...shared, resolution: resolutionSchema('720p', '480p'), seconds: secondsBetween(6, 30, 6) },
      price: perSecond({ '480p': 0.05, '720p': 0.07 }),
      examples: [
        { prompt: 'A deer in a misty forest at dawn', seconds: 12 },
        {
          prompt: 'The family at the lake',
          reference_images: ['https://example.com/mother.png', 'https://example.com/child.png'],
          resolution: '480p',
        },
      ],
    },
    {
      id: 'vidG_video3_pro',
      displayName: 'VidG Video 3 Pro',
      title: 'VidG 3 Pro video',
      description: 'Videos of exactly 10 seconds at 720p from a prompt, a first frame or up to seven reference images.',
      capabilities,
      parameters: { ...shared, seconds: onlySeconds(10) },
      fixedResolution: '720p',
      price: perSecond({ '720p': 0.1 }),
      examples: [
        { prompt: 'A deer in a misty forest at dawn' },
        {
          prompt: 'The family at the lake',
          reference_images: ['https://example.com/mother.png'],
          aspect_ratio: '9:16',
          seconds: 10,
        },
      ],
    },
  ],
})
