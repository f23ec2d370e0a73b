import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

export interface ReceivedEvent {
  path: string
  headers: IncomingHttpHeaders
  /** Signature headers, as verifiers accept them. */
  signed: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
  body: string
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

/** A webhook receiver on loopback. It responds with status 200 unless a test replaces `respond`. */
export interface WebhookReceiver extends AsyncDisposable {
  url: string
  received: ReceivedEvent[]
  respond: (response: ServerResponse, event: ReceivedEvent) => void
  /** Waits until the receiver has received this many events in total. */
  awaitEvents(count: number): Promise<ReceivedEvent[]>
}

export const acceptEvent: WebhookReceiver['respond'] = (response) => response.end('ok')

export function respondWith(status: number, headers: Record<string, string> = {}, body = 'no'): WebhookReceiver['respond'] {
  return (response) => response.writeHead(status, headers).end(body)
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const header = (name: string): string => String(request.headers[name])
      const event: ReceivedEvent = {
        path: request.url ?? '',
        headers: request.headers,
        signed: {
          'webhook-id': header('webhook-id'),
          'webhook-timestamp': header('webhook-timestamp'),
          'webhook-signature': header('webhook-signature'),
        },
        body,
        json: JSON.parse(body),
      }
      receiver.received.push(event)
      receiver.respond(response, event)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    respond: acceptEvent,
    async awaitEvents(count) {
      await vi.waitFor(
        () => {
          if (receiver.received.length < count) throw new Error(`${receiver.received.length} of ${count} events were received`)
        },
        { timeout: 20_000, interval: 10 },
      )
      return receiver.received
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
