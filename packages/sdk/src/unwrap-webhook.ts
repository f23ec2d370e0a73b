import { FramegateError } from './framegate-error.ts'
import type { FramegateEvent } from './webhook.ts'

/** Headers of the request, as `fetch` or Node's `http` have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const secretPrefix = 'whsec_'
const versionPrefix = 'v1,'
/**
 * Maximum difference between the timestamp of a request and the local clock, so that a recorded
 * request cannot be replayed later.
 */
const toleranceSeconds = 5 * 60

/**
 * Verifies the signature of a webhook request (Standard Webhooks 1.0), and returns the event.
 * `rawBody` is the body exactly as received, as text or bytes. Rejects with `invalid_signature`, or
 * with `invalid_option` if the secret is malformed.
 */
export async function unwrapWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<FramegateEvent> {
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  const seconds = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - seconds) > toleranceSeconds) {
    throw invalidSignature('the timestamp differs from the current time by more than five minutes')
  }
  const key = await importKey(secret)
  const signedContent = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const entry of signatures.split(' ')) {
    const signature = entry.startsWith(versionPrefix) ? bytesOf(entry.slice(versionPrefix.length)) : null
    // Compares in constant time.
    if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signedContent))) {
      return JSON.parse(body) as FramegateEvent
    }
  }
  throw invalidSignature('no signature matches this secret and body')
}

/** Looks up a header case-insensitively, because some servers preserve the sender's case. */
function readHeader(headers: WebhookHeaders, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw invalidSignature(`the header ${name} is missing`)
}

async function importKey(secret: string): Promise<Awaited<ReturnType<typeof crypto.subtle.importKey>>> {
  const bytes = secret.startsWith(secretPrefix) ? bytesOf(secret.slice(secretPrefix.length)) : null
  if (!bytes?.length) {
    throw new FramegateError({
      code: 'invalid_option',
      param: 'secret',
      message: 'The secret must be that of the webhook: whsec_ and 32 bytes in base64.',
    })
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function invalidSignature(reason: string): FramegateError {
  return new FramegateError({ code: 'invalid_signature', message: `The webhook's signature is not valid: ${reason}.` })
}
