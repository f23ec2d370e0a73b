/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  event: string
  /** Last event id that the stream has sent; empty before the first. */
  id: string
  /** Empty if the service only sent a new id. */
  data: string
}

/** Maximum length of an event. The service sends no longer events. */
const charactersMax = 16 * 1024 * 1024

/** Reads events until the stream ends. Comments and unknown fields are skipped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  /** Called whenever bytes arrive, so that the caller can detect a dead connection. */
  onBytes: () => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  let [event, id, data, previousId] = ['', '', '', '']
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const lines = (unread + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      unread = lines.pop() ?? ''
      if (unread.length + data.length > charactersMax) throw new TypeError('the event is too long')
      for (const line of lines) {
        if (line === '') {
          if (data !== '' || id !== previousId) yield { event: event === '' ? 'message' : event, id, data: data.slice(0, -1) }
          previousId = id
          event = data = ''
          continue
        }
        const colon = line.indexOf(':')
        const name = colon === -1 ? line : line.slice(0, colon)
        const text = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
        if (name === 'event') event = text
        else if (name === 'id' && !text.includes('\0')) id = text
        else if (name === 'data') data += `${text}\n`
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
