import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/**
 * Replacement for `fetch` that handles API calls and event streams with `node:http`, because
 * loading Node's `fetch` takes a third of the CPU time of a short command. Requests that follow
 * redirects or have a binary body use `fetch`.
 */
export async function fetchText(url: string, init: RequestInit): Promise<Response> {
  const isText = init.body === undefined || typeof init.body === 'string'
  if (init.redirect !== 'manual' || !isText) return fetch(url, init)
  const message = await send(new URL(url), init)
  // The caller reads an event stream as it arrives. Any other body is read here.
  const isBuffered = !isStream(message)
  const body = isBuffered ? await text(message) : ''
  const { statusCode: status = 0, headers } = message
  const response = {
    status,
    ok: status >= 200 && status < 300,
    type: 'default',
    body: isBuffered ? null : Readable.toWeb(message),
    headers: { get: (name: string) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => body,
    json: async (): Promise<unknown> => JSON.parse(body),
  }
  // The SDK uses only these members of a response, except for downloads, which use `fetch`.
  return response as unknown as Response
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  // Importing `node:http` would load all its exports, including Node's `fetch`.
  const { request } = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const options = { method, headers: headers as Record<string, string> | undefined, signal: signal ?? undefined }
    request(url, options, resolve).on('error', reject).end(body)
  })
}
