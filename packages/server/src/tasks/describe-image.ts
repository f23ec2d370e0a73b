import { hash } from 'node:crypto'
import { isDataUri } from '../media/data-uri.ts'

/**
 * Description of an image that was sent as a data URI, without its data. The field names are those
 * of an asset.
 */
export interface DescribedImage {
  content_type: string
  size_bytes: number
  sha256: string
}

/**
 * How a task shows an image that has passed the check of its reference. A URL or an asset is shown
 * as given. A data URI is replaced by its description.
 */
export function describeImage(reference: string): string | DescribedImage {
  if (!isDataUri(reference)) return reference
  const comma = reference.indexOf(',')
  const [contentType = ''] = reference.slice('data:'.length, comma).split(';')
  const bytes = Buffer.from(reference.slice(comma + 1), 'base64')
  return { content_type: contentType, size_bytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') }
}
