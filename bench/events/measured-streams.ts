// A client in a separate process, which holds many streams open and counts their events.
import { once } from 'node:events'
import { connect } from 'node:net'
import { serveCalls } from '../http/serve-calls.ts'

export interface OpenStreams {
  port: number
  key: string
  /**
   * Paths of the streams, relative to the base path. They are repeated until `count` is reached.
   */
  paths: string[]
  count: number
}

export interface StreamedEvents {
  count: number
  /** Unix milliseconds. */
  lastAtMs: number
}

const opensAtOnce = 200
const eventStart = 'event: '
let streamed: StreamedEvents = { count: 0, lastAtMs: 0 }

async function open(port: number, key: string, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1').on('error', (error) => {
    throw error
  })
  socket.write(`GET /api${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [string]
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head)
  let unread = countEvents(head)
  socket.on('data', (text: string) => {
    unread = countEvents(unread + text)
  })
}

/**
 * Counts the events that begin in the text, and adds their number to `streamed`. Returns the end of
 * the text, which may be the first part of an `eventStart`.
 */
function countEvents(text: string): string {
  const eventCount = text.split(eventStart).length - 1
  if (eventCount > 0) streamed = { count: streamed.count + eventCount, lastAtMs: Date.now() }
  return text.slice(Math.max(text.lastIndexOf(eventStart) + eventStart.length, text.length - eventStart.length + 1))
}

const calls = {
  async open({ port, key, paths, count: streamCount }: OpenStreams) {
    for (let openedCount = 0; openedCount < streamCount; openedCount += opensAtOnce) {
      const opening = Array.from({ length: Math.min(opensAtOnce, streamCount - openedCount) }, (_, index) =>
        open(port, key, paths[(openedCount + index) % paths.length] ?? ''),
      )
      await Promise.all(opening)
    }
    return streamCount
  },
  streamed: () => streamed,
}
serveCalls(0, calls, async () => {})
