import type { Job, Json } from '../driver.ts'
import { urlOrDataUri, type UpstreamPictures } from './upstream-pictures.ts'

/**
 * The prompt and the images as one list, each image with its role, in the form of several
 * upstreams.
 */
export async function contentList(
  { prompt, first_frame, last_frame, reference_images = [] }: Job['parameters'],
  pictures: UpstreamPictures,
  signal: AbortSignal,
): Promise<Json> {
  const named = [
    ...(first_frame === undefined ? [] : [{ picture: first_frame, position: 'first_frame', role: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ picture: last_frame, position: 'last_frame', role: 'last_frame' }]),
    ...reference_images.map((picture, index) => ({ picture, position: `reference_images/${index}`, role: 'reference_image' })),
  ]
  const images = await Promise.all(
    named.map(async ({ picture, position, role }) => {
      return { type: 'image_url', image_url: { url: await urlOrDataUri(pictures, picture, position, signal) }, role }
    }),
  )
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...images]
}
