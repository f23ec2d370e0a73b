import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  last_frame,
  onlyResolution,
  prompt,
  referenceImages,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared = { prompt, first_frame, last_frame, aspect_ratio, audio, seed, watermark } as const satisfies ModelRow['parameters']

const generation15 = { ...shared, seconds: secondsBetween(5, 10, 5) }
// The models of generation 2.0 also accept reference images.
const generation20 = {
  ...shared,
  reference_images: referenceImages(0, 9),
  resolution: resolutionSchema('720p', '480p', '1080p'),
  seconds: secondsBetween(4, 15, 5),
}
const generation20Fast = { ...generation20, resolution: resolutionSchema('720p', '480p') }

const capabilities15 = ['text-to-video', 'image-to-video', 'first-and-last-frame', 'audio'] as const
const capabilities20 = [...capabilities15, 'reference-to-video'] as const

const examples15: ModelRow['examples'] = [
  { prompt: 'A lighthouse by the sea on a foggy night', seconds: 5 },
  { prompt: 'The door opens', first_frame: 'https://example.com/door.png', aspect_ratio: '9:16', seconds: 10 },
]
const examples20: ModelRow['examples'] = [
  { prompt: 'A lighthouse by the sea on a foggy night' },
  {
    prompt: 'The two robots shake hands',
    reference_images: ['https://example.com/one.png', 'https://example.com/two.png'],
    seconds: 8,
  },
]

export const vidB = defineFamily({
  id: 'vidB',
  v1Family: 'vidB',
  object: 'video',
  models: [
    {
      id: 'vidB_1_5_pro_720p',
      displayName: 'VidB 1.5 Pro HD',
      title: 'VidB 1.5 Pro video, 720p',
      description: 'Videos of 5 to 10 seconds at 720p.',
      capabilities: capabilities15,
      parameters: { ...generation15, resolution: onlyResolution('720p') },
      price: perSecond({ '720p': 0.06 }, { audio: 0.03 }),
      examples: examples15,
    },
    {
      id: 'vidB_1_5_pro_1080p',
      displayName: 'VidB 1.5 Pro Full HD',
      title: 'VidB 1.5 Pro video, 1080p',
      description: 'Videos of 5 to 10 seconds at 1080p.',
      capabilities: capabilities15,
      parameters: { ...generation15, resolution: onlyResolution('1080p') },
      price: perSecond({ '1080p': 0.13 }, { audio: 0.06 }),
      examples: examples15,
    },
    {
      id: 'vidB_2_0',
      displayName: 'VidB 2.0',
      title: 'VidB 2.0 video',
      description: 'Videos from a prompt, frames or up to nine reference images.',
      capabilities: capabilities20,
      parameters: generation20,
      price: perSecond({ '480p': 0.06, '720p': 0.12, '1080p': 0.27 }, { audio: 0.02 }),
      examples: examples20,
    },
    {
      id: 'vidB_2_0_fast',
      displayName: 'VidB 2.0 Fast',
      title: 'VidB 2.0 fast video',
      description: 'Quick videos up to 720p from a prompt, frames or up to nine reference images.',
      capabilities: capabilities20,
      parameters: generation20Fast,
      price: perSecond({ '480p': 0.04, '720p': 0.08 }, { audio: 0.02 }),
      examples: examples20,
    },
    {
      id: 'vidB_2_0_pro',
      displayName: 'VidB 2.0 Pro',
      title: 'VidB 2.0 Pro video',
      description: 'Videos in higher quality from a prompt, frames or up to nine reference images.',
      capabilities: capabilities20,
      parameters: generation20,
      price: perSecond({ '480p': 0.08, '720p': 0.16, '1080p': 0.36 }, { audio: 0.02 }),
      examples: examples20,
    },
    {
      id: 'vidB_2_0_fast_pro',
      displayName: 'VidB 2.0 Fast Pro',
      title: 'VidB 2.0 fast Pro video',
      description: 'Videos in higher quality, generated faster, up to 720p.',
      capabilities: capabilities20,
      parameters: generation20Fast,
      price: perSecond({ '480p': 0.05, '720p': 0.1 }, { audio: 0.02 }),
      examples: examples20,
    },
  ],
})
