import { createHmac } from 'node:crypto'
import type { Callback, CallbackVerification } from '../driver.ts'
import { isSameSignature } from '../../lib/is-same-signature.ts'

/**
 * Maximum difference between a callback's date and the clock. An older callback could be a replay.
 */
const dateToleranceMs = 5 * 60_000
const accessKey = 'vidu'

/**
 * Verifies the signature of a callback: HMAC-SHA256 over method, path, query, access key, date and
 * the listed headers, with the API key that submitted the task. The body is not signed, so its
 * content is ignored.
 */
export function verifyCallback({ method, url, headers }: Callback, key: string, nowMs: number): CallbackVerification {
  const date = headers['date'] ?? ''
  const isFresh = Math.abs(Date.parse(date) - nowMs) <= dateToleranceMs
  if (!isFresh || headers['x-hmac-algorithm'] !== 'hmac-sha256' || headers['x-hmac-access-key'] !== accessKey)
    return { trust: 'forged' }
  const { pathname, search } = new URL(url)
  const signedNames = (headers['x-hmac-signed-headers'] ?? '').split(';').filter((name) => name !== '')
  const lines = [
    method.toUpperCase(),
    pathname,
    search.slice(1),
    accessKey,
    date,
    ...signedNames.map((name) => `${name}:${headers[name.toLowerCase()] ?? ''}`),
  ]
  const expected = createHmac('sha256', key)
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('base64')
  return { trust: isSameSignature(headers['x-hmac-signature'] ?? '', expected) ? 'signed' : 'forged' }
}
