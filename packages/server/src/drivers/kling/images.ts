import { DriverRefusal } from '../driver.ts'
import type { UpstreamFiles } from '../upstream/upstream-files.ts'

/**
 * Returns the URL of an image, or its bytes as base64 if it has no URL. The upstream rejects the
 * prefix of data URIs, so it is left out. An image without a URL must be JPEG or PNG.
 */
export async function urlOrBase64(files: UpstreamFiles, image: string, position: string, signal: AbortSignal): Promise<string> {
  const url = await files.publicUrl(image)
  if (url !== null) return url
  const { bytes, contentType } = await files.bytes(image, position, signal)
  if (contentType === 'image/jpeg' || contentType === 'image/png') return bytes.toString('base64')
  throw new DriverRefusal('invalid_input', `${position}: send a PNG or JPEG image with this model.`)
}

export function referencesFor(files: UpstreamFiles, images: readonly string[], signal: AbortSignal): Promise<string[]> {
  return Promise.all(images.map((image, index) => urlOrBase64(files, image, `reference_images/${index}`, signal)))
}
