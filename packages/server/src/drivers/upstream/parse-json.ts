import { findJsonExcess, type JsonLimits } from '../../lib/json-shape.ts'
import { withoutByteOrderMark } from '../../lib/without-byte-order-mark.ts'

/**
 * Limits far above the responses of providers, such as task lists and images in base64. Parsing a
 * response at these limits takes about 50 ms, or 120 ms if it has long integers.
 */
const jsonLimits: JsonLimits = { depthMax: 100, itemsMax: 200_000, bytesOutsideStringsMax: 4 * 1024 * 1024 }
/** Matches an integer that may be too large for a JavaScript number. A match may be in a string. */
const longIntegerPattern = /[[:,]\s*-?\d{16}/

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

/**
 * Parses the body of an upstream's response. An integer that a JavaScript number cannot represent
 * exactly becomes a string, because it may be the id of a job. Returns undefined if the body is not
 * JSON, or if it is too large or too deeply nested to parse in a short time.
 */
export function parseJson(body: Buffer): unknown {
  if (findJsonExcess(body, jsonLimits) !== null) return undefined
  const text = withoutByteOrderMark(body.toString())
  try {
    return longIntegerPattern.test(text)
      ? JSON.parse(text, keepLongInteger as (name: string, value: unknown) => unknown)
      : JSON.parse(text)
  } catch {
    return undefined
  }
}

const keepLongInteger: Reviver = (_name, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value
