import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  negative_prompt,
  prompt,
  referenceImages,
  referenceVideos,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

// `r2v` means reference to video, so a model whose ID contains `r2v` requires a reference image.
// This includes `video-r2v`. `c1` and `c2` name the channel and change no parameter.
const parameters = {
  prompt,
  negative_prompt,
  reference_images: referenceImages(1, 9),
  reference_videos: referenceVideos(3, '30 seconds each'),
  aspect_ratio,
  resolution: resolutionSchema('720p', '1080p'),
  seconds: secondsBetween(2, 15, 5),
  audio,
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const examples: ModelRow['examples'] = [
  { prompt: 'A wolf in the snow at night', reference_images: ['https://example.com/wolf.png'], seconds: 8 },
]

export const vidW = defineFamily({
  id: 'vidW',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'vidW3.0-prime-r2v-c1',
      displayName: 'VidW 3.0 Prime References',
      title: 'VidW 3.0 prime, reference to video',
      description:
        'Videos of a new scene with the content of one to nine reference images and up to three reference videos, in higher quality.',
      capabilities: ['reference-to-video', 'audio'],
      parameters,
      inputLimits: { video: { secondsMax: 30 } },
      required: ['reference_images'],
      price: perSecond({ '720p': 0.16, '1080p': 0.26 }, { audio: 0.02 }),
      examples,
    },
    {
      id: 'vidW3.0-video-r2v-c2',
      displayName: 'VidW 3.0 Video References',
      title: 'VidW 3.0 video, reference to video',
      description: 'Videos of a new scene with the content of one to nine reference images and up to three reference videos.',
      capabilities: ['reference-to-video', 'audio'],
      parameters,
      inputLimits: { video: { secondsMax: 30 } },
      required: ['reference_images'],
      price: perSecond({ '720p': 0.1, '1080p': 0.17 }, { audio: 0.02 }),
      examples,
    },
  ],
})
