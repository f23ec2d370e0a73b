import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  first_frame,
  last_frame,
  prompt,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared: Pick<ModelRow, 'capabilities' | 'parameters' | 'examples'> = {
  capabilities: ['text-to-video', 'image-to-video', 'first-and-last-frame'],
  parameters: {
    prompt,
    first_frame,
    last_frame,
    aspect_ratio,
    resolution: resolutionSchema('720p', '540p', '1080p'),
    seconds: secondsBetween(1, 16, 5),
    seed,
    watermark,
  },
  examples: [
    { prompt: 'White birds over the sea at dawn, slow motion', seconds: 5 },
    {
      prompt: 'The ice melts',
      first_frame: 'https://example.com/ice.png',
      last_frame: 'https://example.com/water.png',
      resolution: '1080p',
      seconds: 16,
    },
  ],
}

export const vidD = defineFamily({
  id: 'vidD',
  v1Family: 'vidD',
  object: 'video',
  models: [
    {
      id: 'vidDq3-pro',
      displayName: 'VidD Q3 Pro',
      title: 'VidD Q3 Pro video',
      description: 'Videos of 1 to 16 seconds from a prompt or frames, in higher quality.',
      price: perSecond({ '540p': 0.07, '720p': 0.125, '1080p': 0.15 }, { minimum: 0.1 }),
      ...shared,
    },
    {
      id: 'vidDq3-turbo',
      displayName: 'VidD Q3 Turbo',
      title: 'VidD Q3 Turbo video',
      description: 'Videos of 1 to 16 seconds from a prompt or frames, generated faster.',
      price: perSecond({ '540p': 0.04, '720p': 0.06, '1080p': 0.08 }, { minimum: 0.05 }),
      ...shared,
    },
  ],
})
