import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

export interface SignedContent {
  id: string
  /** Time of the delivery attempt, Unix seconds. */
  timestamp: number
  body: string
}

/**
 * Signature headers of Standard Webhooks 1.0
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). A
 * receiver accepts any of the signatures.
 */
export function signatureHeaders(secrets: readonly string[], { id, timestamp, body }: SignedContent): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
