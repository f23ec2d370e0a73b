import { isObject, isRequest, parseJson, type Message } from './message.ts'

export interface Endpoint {
  url: string
  apiKey: string
}

/** `done`, or the reason why no complete response arrived. */
export type Outcome = 'done' | { reason: string; data?: object }

/** Maximum length of an event of the stream. */
const eventCharactersMax = 16 * 1024 * 1024

/**
 * Sends a message to the endpoint, and calls `receive` with each message of the response. Errors of
 * the endpoint are converted to JSON-RPC errors. Never rejects.
 */
export async function sendMessage(
  { url, apiKey }: Endpoint,
  message: Message,
  signal: AbortSignal,
  receive: (message: object) => void,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...protocolHeaders(message),
      },
      body: message.text,
      redirect: 'error',
      signal,
    })
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true && response.body !== null) {
      return await readStream(response.body, message, receive)
    }
    const text = await response.text()
    if (!isRequest(message)) return response.ok ? 'done' : { reason: `The server rejected a notification: ${text.slice(0, 500)}` }
    receive(messageIn(text) ?? errorResponseOf(message, response.status, text))
    return 'done'
  } catch (error) {
    const { cause, message: reason } = error as Error & { cause?: { code?: string } }
    return { reason: `The server at ${url} does not respond (${cause?.code ?? reason}).` }
  }
}

/**
 * Returns headers with the protocol revision of the message, and with its method and name, which
 * revision 2026-07-28 requires.
 */
function protocolHeaders({ method, params, revision }: Message): Record<string, string> {
  if (revision === undefined) return {}
  const name = [params['name'], params['uri'], params['taskId']].find((value) => typeof value === 'string')
  return {
    'MCP-Protocol-Version': revision,
    ...(method !== undefined && { 'Mcp-Method': encodeHeader(method) }),
    ...(name !== undefined && { 'Mcp-Name': encodeHeader(name) }),
  }
}

/** Encodes a header value. The protocol uses base64 for text that headers cannot contain. */
function encodeHeader(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  message: Message,
  receive: (message: object) => void,
): Promise<Outcome> {
  let hasResponse = !isRequest(message)
  let incompleteEvent = ''
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    const events = (incompleteEvent + decoder.decode(bytes, { stream: true })).split('\n\n')
    incompleteEvent = events.pop() ?? ''
    if (incompleteEvent.length > eventCharactersMax) throw new Error('the response has an event that is too long')
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      const receivedMessage = messageIn(data.join('\n'))
      if (receivedMessage === undefined) continue
      hasResponse ||= 'id' in receivedMessage && receivedMessage.id === message.id && !('method' in receivedMessage)
      receive(receivedMessage)
    }
  }
  return hasResponse ? 'done' : { reason: 'The connection to the server ended before its response.' }
}

function messageIn(text: string): object | undefined {
  const value = parseJson(text)
  return isObject(value) && value['jsonrpc'] === '2.0' ? value : undefined
}

/** Converts an error response in Framegate's usual format to a JSON-RPC error. */
function errorResponseOf({ id }: Message, status: number, text: string): object {
  const { error } = (parseJson(text) ?? {}) as { error?: { message?: string; code?: string; request_id?: string } }
  const message = error?.message ?? `The server responded with status ${status}.`
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32000, message, data: { status, code: error?.code, request_id: error?.request_id } },
  }
}
