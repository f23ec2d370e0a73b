import { readTextChunks } from './read-text-chunks.ts'

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  event: string
  /** Last event id that the stream has sent; empty before the first. */
  id: string
  /** Empty if the service only sent a new id. */
  data: string
}

/** Maximum length of an event. Events of the service are never longer. */
const charactersMax = 16 * 1024 * 1024

/** Reads events until the stream ends. Comments and unknown fields are skipped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  /** Called whenever bytes arrive, so that the caller can detect a dead connection. */
  onBytes: () => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  let unread = ''
  // A CR ends a line at once. If an LF follows in the next chunk, it belongs to the same line end.
  let endedWithReturn = false
  let [event, id, data, previousId] = ['', '', '', '']
  for await (const chunk of readTextChunks(body)) {
    onBytes()
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = unread + lines[0]
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
      const fieldValue = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (name === 'event') event = fieldValue
      else if (name === 'id' && !fieldValue.includes('\0')) id = fieldValue
      else if (name === 'data') data += `${fieldValue}\n`
    }
  }
}
