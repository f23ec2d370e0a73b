import { createHmac } from 'node:crypto'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A request as a webhook receives it, with the secret that signed it. */
export function signedDelivery() {
  const body = '{"id":"evt_1","type":"task.completed","timestamp":"2026-01-15T12:00:00.000Z","data":{"id":"task_1"}}'
  return { body, secret, headers: signatureHeaders(body, secret) }
}

export function signatureHeaders(
  body: string,
  key: string,
  seconds: number = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', bytes).update(`evt_1.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1a,abc v1,${signature}` }
}
