import { defineFamily } from '../define-family.ts'
import { perImage } from '../price-rules.ts'
import {
  imageAspectRatio,
  negative_prompt,
  prompt,
  publicReferenceImages,
  referenceImages,
  resolutionSchema,
  seed,
  watermark,
} from '../shared-parameters.ts'

export const imgA = defineFamily({
  id: 'imgA',
  v1Family: null,
  object: 'image',
  models: [
    {
      id: 'imgA_5.0Pro',
      displayName: 'ImgA 5.0 Pro',
      title: 'ImgA 5.0 Pro image generation',
      description: 'Images from a prompt and up to ten reference images, in higher quality.',
      capabilities: ['text-to-image', 'reference-to-image'],
      // The published model has exactly these parameters. Its reference images must have public
      // URLs.
      parameters: {
        prompt,
        reference_images: publicReferenceImages(10),
        aspect_ratio: imageAspectRatio,
        resolution: resolutionSchema('1K', '2K'),
        watermark,
      },
      price: perImage({ '1K': 0.08, '2K': 0.16 }),
      examples: [
        { prompt: 'A lighthouse on a cliff at dusk, oil painting' },
        {
          prompt: 'The same cup on a marble table, morning light',
          reference_images: ['https://example.com/cup.png'],
          aspect_ratio: '3:2',
          resolution: '2K',
          watermark: false,
        },
      ],
      unavailableReason: 'brand_model_missing',
    },
    {
      id: 'imgA-5.0',
      displayName: 'ImgA 5.0',
      title: 'ImgA 5.0 image generation',
      description: 'Images from a prompt and up to ten reference images.',
      capabilities: ['text-to-image', 'reference-to-image'],
      parameters: {
        prompt,
        negative_prompt,
        reference_images: referenceImages(0, 10),
        aspect_ratio: imageAspectRatio,
        resolution: resolutionSchema('1K', '2K'),
        seed,
        watermark,
      },
      price: perImage({ '1K': 0.04, '2K': 0.08 }),
      examples: [
        { prompt: 'A boat on a lake in the fog, long exposure' },
        {
          prompt: 'This dog as a watercolour postcard',
          reference_images: ['https://example.com/dog.jpg'],
          aspect_ratio: '4:3',
          resolution: '2K',
          seed: 7,
        },
      ],
    },
  ],
})
