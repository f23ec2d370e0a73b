import { defineFamily } from '../define-family.ts'
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

export const vidK = defineFamily({
  id: 'vidK',
  v1Family: null,
  object: 'video',
  models: [
    {
      id: 'vidK O3 Video Generation',
      displayName: 'VidK O3',
      title: 'VidK O3 video',
      description: 'Videos from a prompt, frames or up to seven reference images.',
      capabilities: ['text-to-video', 'image-to-video', 'first-and-last-frame', 'reference-to-video', 'audio'],
      parameters: {
        prompt,
        negative_prompt,
        reference_images: referenceImages(0, 7),
        first_frame,
        last_frame,
        aspect_ratio,
        resolution: resolutionSchema('720p', '1080p'),
        seconds: secondsBetween(3, 15, 5),
        audio,
        seed,
        watermark,
      },
      price: perSecond({ '720p': 0.12, '1080p': 0.17 }, { audio: 0.04 }),
      examples: [
        { prompt: 'A hot air balloon over the mountains, handheld camera' },
        {
          prompt: 'From day to night',
          first_frame: 'https://example.com/day.png',
          last_frame: 'https://example.com/night.png',
          seconds: 10,
          resolution: '1080p',
        },
      ],
    },
  ],
})
