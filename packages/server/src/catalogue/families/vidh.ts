import { defineFamily, type ModelRow } from '../define-family.ts'
import { perSecond } from '../price-rules.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  prompt,
  referenceImages,
  referenceVideos,
  resolutionSchema,
  secondsBetween,
  seed,
  watermark,
} from '../shared-parameters.ts'

const shared = {
  prompt,
  aspect_ratio,
  resolution: resolutionSchema('720p', '1080p'),
  seconds: secondsBetween(3, 15, 5),
  audio,
  seed,
  watermark,
} as const satisfies ModelRow['parameters']

const price = perSecond({ '720p': 0.14, '1080p': 0.24 }, { audio: 0.03 })

// Each mode has its own Model ID. The image inputs that a Model ID names are required, and the
// inputs of other modes are rejected.
export const vidH = defineFamily({
  id: 'vidH',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'vidH 1.1 v2 Image To Video',
      displayName: 'VidH 1.1 image-to-video',
      title: 'VidH 1.1 v2, image to video',
      description: 'Videos from one image.',
      capabilities: ['image-to-video', 'audio'],
      parameters: { ...shared, first_frame },
      required: ['first_frame'],
      price,
      examples: [{ prompt: 'Waves roll in', first_frame: 'https://example.com/beach.jpg', seconds: 6 }],
    },
    {
      id: 'vidH 1.1 v2 Reference Raw Video',
      displayName: 'VidH 1.1 from references',
      title: 'VidH 1.1 v2, reference to video',
      description:
        'Videos of a new scene with the people and objects of one to nine reference images and up to three reference videos.',
      capabilities: ['reference-to-video', 'audio'],
      parameters: { ...shared, reference_images: referenceImages(1, 9), reference_videos: referenceVideos(3, '15 seconds each') },
      inputLimits: { video: { secondsMax: 15 } },
      required: ['reference_images'],
      price,
      examples: [{ prompt: 'She walks through the garden', reference_images: ['https://example.com/woman.png'] }],
    },
    {
      id: 'vidH 1.1 v2 Text To Video',
      displayName: 'VidH 1.1 from words',
      title: 'VidH 1.1 v2, text to video',
      description: 'Videos from a prompt alone.',
      capabilities: ['text-to-video', 'audio'],
      parameters: shared,
      price,
      examples: [{ prompt: 'A fox trots over fresh snow', resolution: '1080p' }],
    },
  ],
})
