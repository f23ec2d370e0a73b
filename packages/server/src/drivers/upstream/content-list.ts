import type { GenerationRequest, Json } from '../driver.ts'
import { urlOrDataUri, type UpstreamImages } from './upstream-images.ts'

/**
 * The prompt and the images as one list, each image with its role, in the form of several
 * upstreams.
 */
export async function contentList(
  { prompt, first_frame, last_frame, reference_images = [] }: GenerationRequest['parameters'],
  images: UpstreamImages,
  signal: AbortSignal,
): Promise<Json> {
  const named = [
    ...(first_frame === undefined ? [] : [{ image: first_frame, position: 'first_frame', role: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ image: last_frame, position: 'last_frame', role: 'last_frame' }]),
    ...reference_images.map((image, index) => ({ image, position: `reference_images/${index}`, role: 'reference_image' })),
  ]
  const contents = await Promise.all(
    named.map(async ({ image, position, role }) => {
      return { type: 'image_url', image_url: { url: await urlOrDataUri(images, image, position, signal) }, role }
    }),
  )
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...contents]
}
