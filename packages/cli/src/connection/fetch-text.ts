import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/**
 * A `fetch` for streams of events, and for calls that send and receive text and follow no
 * redirects. It uses `node:http`, because loading Node's `fetch` takes a third of the CPU time of
 * a short command. All other requests use `fetch`.
 */
export async function fetchText(url: string, init: RequestInit): Promise<Response> {
  const isText = init.body === undefined || typeof init.body === 'string'
  if (init.redirect !== 'manual' || !isText) return fetch(url, init)
  const message = await send(new URL(url), init)
  // A stream is read while it arrives, any other body at once.
  const isReadAtOnce = !isStream(message)
  const body = isReadAtOnce ? await text(message) : ''
  const { statusCode: status = 0, headers } = message
  const response = {
    status,
    ok: status >= 200 && status < 300,
    type: 'default',
    body: isReadAtOnce ? null : Readable.toWeb(message),
    headers: { get: (name: string) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => body,
    json: async (): Promise<unknown> => JSON.parse(body),
  }
  // The SDK reads only these parts of the response to a call. A download uses `fetch`.
  return response as unknown as Response
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  // An import of `node:http` would load everything that it exports, including Node's `fetch`.
  const { request } = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const options = { method, headers: headers as Record<string, string> | undefined, signal: signal ?? undefined }
    request(url, options, resolve).on('error', reject).end(body)
  })
}
