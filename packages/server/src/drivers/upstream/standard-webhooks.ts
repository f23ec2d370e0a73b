import { createHmac } from 'node:crypto'
import type { Callback } from '../driver.ts'
import { isSameSignature } from '../../lib/is-same-signature.ts'

/**
 * Maximum difference between a callback's timestamp and the clock. An older callback could be a
 * replay.
 */
const timestampToleranceMs = 5 * 60_000

/**
 * Whether a callback has a valid signature according to Standard Webhooks 1.0.0, version `v1`:
 * HMAC-SHA256 over `id.timestamp.body`, in base64. The key is the decoded part of the secret after
 * `whsec_`. The header contains a list of signatures; those of other versions are ignored.
 */
export function isSignedWebhook({ headers, body }: Pick<Callback, 'headers' | 'body'>, secret: string, nowMs: number): boolean {
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0 || id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Number(timestamp) * 1000 - nowMs) > timestampToleranceMs) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((entry) => entry.startsWith('v1,'))
  return signatures.some((entry) => isSameSignature(entry.slice('v1,'.length), expected))
}
