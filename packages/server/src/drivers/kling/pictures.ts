import { DriverRefusal } from '../driver.ts'
import type { UpstreamPictures } from '../upstream/upstream-pictures.ts'

/**
 * An address, or plain base64: the prefix of a data URI is refused. An image without an address
 * must be JPEG or PNG.
 */
export async function urlOrBase64(
  pictures: UpstreamPictures,
  picture: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  const url = await pictures.publicUrl(picture)
  if (url !== null) return url
  const { bytes, contentType } = await pictures.bytes(picture, position, signal)
  if (contentType === 'image/jpeg' || contentType === 'image/png') return bytes.toString('base64')
  throw new DriverRefusal('invalid_input', `${position}: send a PNG or JPEG image with this model.`)
}

export function allOf(pictures: UpstreamPictures, list: readonly string[], signal: AbortSignal): Promise<string[]> {
  return Promise.all(list.map((picture, index) => urlOrBase64(pictures, picture, `reference_images/${index}`, signal)))
}
