import { isObject } from '../../lib/is-object.ts'
import { findJsonExcess } from '../../lib/json-shape.ts'
import { withoutByteOrderMark } from '../../lib/without-byte-order-mark.ts'
import { documentBytesMax, jsonDepthMax, jsonItemsMax } from './import-limits.ts'
import { ImportError } from './import-error.ts'

/**
 * Parses a source's document within the limits of an import. `subject` names the document in error
 * messages.
 */
export function readForeignJson(bytes: Buffer, subject: string, bytesMax = documentBytesMax): Record<string, unknown> {
  if (bytes.length > bytesMax)
    throw new ImportError(`${subject} is larger than ${bytesMax} bytes, which is the limit for imports.`)
  const excess = findJsonExcess(bytes, { depthMax: jsonDepthMax, itemsMax: jsonItemsMax, bytesOutsideStringsMax: bytesMax })
  if (excess !== null) {
    const limit = excess === 'depth' ? `is nested more than ${jsonDepthMax} levels deep` : `has more than ${jsonItemsMax} values`
    throw new ImportError(`${subject} ${limit}, which is the limit for imports.`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(withoutByteOrderMark(bytes.toString()))
  } catch (cause) {
    throw new ImportError(`${subject} is not JSON.`, { cause })
  }
  if (!isObject(parsed)) throw new ImportError(`${subject} must be a JSON object.`)
  return parsed
}
