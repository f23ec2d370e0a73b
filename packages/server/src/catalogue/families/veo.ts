import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  last_frame,
  negative_prompt,
  prompt,
  resolutionSchema,
  secondsOneOf,
  seed,
  watermark,
} from '../shared-parameters.ts'

// Framegate chose the Model IDs of this family.
const shared: Pick<ModelRow, 'capabilities' | 'parameters' | 'examples'> = {
  capabilities: ['text-to-video', 'image-to-video', 'first-and-last-frame', 'audio'],
  parameters: {
    prompt,
    negative_prompt,
    first_frame,
    last_frame,
    aspect_ratio,
    resolution: resolutionSchema('720p', '1080p'),
    seconds: secondsOneOf(8, 4, 6),
    audio,
    seed,
    watermark,
  },
  examples: [
    { prompt: 'A sailing boat on a calm sea at dusk', audio: true },
    { prompt: 'The camera rises over the city', first_frame: 'https://example.com/street.png', resolution: '1080p', seconds: 6 },
  ],
}

export const veo = defineFamily({
  id: 'veo',
  v1Family: 'veo',
  object: 'video',
  models: [
    {
      id: 'veo-3.1',
      displayName: 'VEO 3.1 Standard',
      title: 'VEO 3.1 video',
      description: 'Videos of 4, 6 or 8 seconds from a prompt or frames, in higher quality.',
      price: perSecond({ '720p': 0.2, '1080p': 0.25 }, { audio: 0.2 }),
      ...shared,
    },
    {
      id: 'veo-3.1-fast',
      displayName: 'VEO 3.1 Fast Line',
      title: 'VEO 3.1 fast video',
      description: 'Videos of 4, 6 or 8 seconds from a prompt or frames, generated faster.',
      price: perSecond({ '720p': 0.1, '1080p': 0.12 }, { audio: 0.05 }),
      ...shared,
    },
  ],
})
