import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  last_frame,
  prompt,
  referenceImages,
  referenceVideos,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

// Framegate interprets `30_10_10` as up to 30 seconds, ten images and ten videos for reference. The
// ending `c3` or `c5` of an ID names the channel that serves the model. It does not change the
// parameters.
const parameters = {
  prompt,
  reference_images: referenceImages(0, 10),
  reference_videos: referenceVideos(10, '30 seconds together'),
  first_frame,
  last_frame,
  aspect_ratio,
  resolution: resolutionSchema('720p', '480p', '1080p'),
  seconds: secondsBetween(4, 30, 5),
  audio,
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const inputLimits = { video: { secondsMax: 30, secondsTotalMax: 30 } } as const satisfies ModelRow['inputLimits']

const capabilities = ['text-to-video', 'image-to-video', 'first-and-last-frame', 'reference-to-video', 'audio'] as const

const examples: ModelRow['examples'] = [
  { prompt: 'One long take over a neon city at night', seconds: 30 },
  {
    prompt: 'The chef presents the dish',
    reference_images: ['https://example.com/chef.png', 'https://example.com/dish.png'],
    aspect_ratio: '9:16',
    audio: true,
  },
]

export const videos = defineFamily({
  id: 'videos',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'videos_2.5_30_10_10_c5',
      displayName: 'Videos 2.5 Long Channel 5',
      title: 'Videos 2.5, up to 30 seconds',
      description: 'Long videos from a prompt, frames or up to ten reference images and ten reference videos, newer generation.',
      capabilities,
      parameters,
      inputLimits,
      price: perSecond({ '480p': 0.06, '720p': 0.12, '1080p': 0.26 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'videos_30_10_10_c3',
      displayName: 'Videos Long Channel 3',
      title: 'Videos, up to 30 seconds',
      description: 'Long videos from a prompt, frames or up to ten reference images and ten reference videos.',
      capabilities,
      parameters,
      inputLimits,
      price: perSecond({ '480p': 0.05, '720p': 0.1, '1080p': 0.22 }, { audio: 0.02 }),
      examples,
    },
  ],
})
