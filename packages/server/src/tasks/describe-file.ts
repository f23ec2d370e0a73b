import { hash } from 'node:crypto'
import { isDataUri } from '../media/data-uri.ts'

/**
 * Description of an input file in the view of a task, in place of its data URI. It has the same
 * field names as an asset.
 */
export interface DescribedFile {
  content_type: string
  size_bytes: number
  sha256: string
}

/**
 * Returns the view of a valid reference to an input file: a URL or an asset unchanged, and a data
 * URI as its description.
 */
export function describeFile(reference: string): string | DescribedFile {
  if (!isDataUri(reference)) return reference
  const comma = reference.indexOf(',')
  const [contentType = ''] = reference.slice('data:'.length, comma).split(';')
  const bytes = Buffer.from(reference.slice(comma + 1), 'base64')
  return { content_type: contentType, size_bytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') }
}
