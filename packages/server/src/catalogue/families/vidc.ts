import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import { aspect_ratio, first_frame, prompt, resolutionSchema, secondsOneOf, seed, watermark } from '../shared-parameters.ts'

// A create request of v1 requires only the prompt, because `aspect_ratio` and `seconds` have
// defaults as in all families.
const shared = {
  prompt,
  first_frame,
  aspect_ratio,
  resolution: resolutionSchema('720p', '1080p'),
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const capabilities = ['text-to-video', 'image-to-video'] as const

const shortVideos: Pick<ModelRow, 'capabilities' | 'parameters' | 'examples'> = {
  capabilities,
  parameters: { ...shared, seconds: secondsOneOf(4, 8, 12) },
  examples: [
    { prompt: 'Two horses in a meadow at sunset', aspect_ratio: '16:9', seconds: 8 },
    { prompt: 'The painting comes alive', first_frame: 'https://example.com/painting.png', aspect_ratio: '9:16', seconds: 4 },
  ],
}

export const vidC = defineFamily({
  id: 'vidC',
  v1Family: 'vidC',
  object: 'video',
  models: [
    {
      id: 'vidC2Stable',
      displayName: 'VidC 2 Stable',
      title: 'VidC 2 stable video',
      description: 'Videos of 10 or 15 seconds.',
      capabilities,
      parameters: { ...shared, seconds: secondsOneOf(10, 15) },
      price: perSecond({ '720p': 0.08, '1080p': 0.16 }),
      examples: [
        { prompt: 'Two horses in a meadow at sunset', aspect_ratio: '16:9', seconds: 10 },
        {
          prompt: 'The painting comes alive',
          first_frame: 'https://example.com/painting.png',
          aspect_ratio: '9:16',
          seconds: 15,
        },
      ],
    },
    {
      id: 'vendorVidC2',
      displayName: 'VidC 2 Vendor',
      title: 'VidC 2 video by its maker',
      description: 'Videos of 4, 8 or 12 seconds.',
      price: perSecond({ '720p': 0.1, '1080p': 0.2 }),
      ...shortVideos,
    },
    {
      id: 'vendorVidC2Stable',
      displayName: 'VidC 2 Vendor Stable',
      title: 'VidC 2 stable video by its maker',
      description: 'Videos of 4, 8 or 12 seconds, with higher reliability.',
      price: perSecond({ '720p': 0.12, '1080p': 0.24 }),
      ...shortVideos,
    },
    {
      id: 'vendorVidC2Plus',
      displayName: 'VidC 2 Vendor Plus',
      title: 'VidC 2 Plus video by its maker',
      description: 'Videos of 4, 8 or 12 seconds in higher quality.',
      price: perSecond({ '720p': 0.3, '1080p': 0.5 }),
      ...shortVideos,
    },
  ],
})
