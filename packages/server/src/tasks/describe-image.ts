import { hash } from 'node:crypto'
import { isDataUri } from '../media/data-uri.ts'

/**
 * Description of an image in the view of a task, in place of its data URI. It has the same field
 * names as an asset.
 */
export interface DescribedImage {
  content_type: string
  size_bytes: number
  sha256: string
}

/**
 * Returns the view of a valid image reference: a URL or an asset as given, and the description of a
 * data URI.
 */
export function describeImage(reference: string): string | DescribedImage {
  if (!isDataUri(reference)) return reference
  const comma = reference.indexOf(',')
  const [contentType = ''] = reference.slice('data:'.length, comma).split(';')
  const bytes = Buffer.from(reference.slice(comma + 1), 'base64')
  return { content_type: contentType, size_bytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') }
}
