import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * A `fetch` for calls that send and receive text and follow no redirects. It uses `node:http`,
 * because loading Node's `fetch` takes a third of the CPU time of a short command. All other
 * requests use `fetch`.
 */
export async function fetchText(url: string, init: RequestInit): Promise<Response> {
  const isText = init.body === undefined || typeof init.body === 'string'
  if (init.redirect !== 'manual' || !isText || isStream(init)) return fetch(url, init)
  const message = await send(new URL(url), init)
  const body = await text(message)
  const { statusCode: status = 0, headers } = message
  const response = {
    status,
    ok: status >= 200 && status < 300,
    type: 'default',
    headers: { get: (name: string) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => body,
    json: async (): Promise<unknown> => JSON.parse(body),
  }
  // The SDK reads only these parts of the response to a call. A download uses `fetch`.
  return response as unknown as Response
}

/** A stream is read while it arrives. */
function isStream({ headers }: RequestInit): boolean {
  return (headers as Record<string, string> | undefined)?.['Accept'] === 'text/event-stream'
}

function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  // An import of `node:http` would load everything that it exports, including Node's `fetch`.
  const { request } = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const options = { method, headers: headers as Record<string, string> | undefined, signal: signal ?? undefined }
    request(url, options, resolve).on('error', reject).end(body)
  })
}
