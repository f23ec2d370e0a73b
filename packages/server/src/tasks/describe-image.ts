import { hash } from 'node:crypto'
import { isDataUri } from '../media/data-uri.ts'

/** An image that came as a data URI, without its data. The fields have the names that they have in an asset. */
export interface DescribedImage {
  content_type: string
  size_bytes: number
  sha256: string
}

/** What a task shows of an image that passed the reference checks: a URL or an asset as it was given, a data URI described. */
export function describeImage(reference: string): string | DescribedImage {
  if (!isDataUri(reference)) return reference
  const comma = reference.indexOf(',')
  const [contentType = ''] = reference.slice('data:'.length, comma).split(';')
  const bytes = Buffer.from(reference.slice(comma + 1), 'base64')
  return { content_type: contentType, size_bytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') }
}
