// A client in a separate process, which holds many streams open and counts their events.
import { once } from 'node:events'
import { connect } from 'node:net'
import { serveCalls } from '../http/serve-calls.ts'

export interface OpenStreams {
  port: number
  key: string
  /** Paths relative to the base path, used in rotation. */
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
  let unread = count(head)
  socket.on('data', (text: string) => {
    unread = count(unread + text)
  })
}

/** Counts the beginnings of events. Returns the end of the text, which may contain part of one. */
function count(text: string): string {
  const eventCount = text.split(eventStart).length - 1
  if (eventCount > 0) streamed = { count: streamed.count + eventCount, lastAtMs: Date.now() }
  return text.slice(Math.max(text.lastIndexOf(eventStart) + eventStart.length, text.length - eventStart.length + 1))
}

const calls = {
  async open({ port, key, paths, count: streamCount }: OpenStreams) {
    for (let openedCount = 0; openedCount < streamCount; openedCount += opensAtOnce) {
      const pieces = Array.from({ length: Math.min(opensAtOnce, streamCount - openedCount) }, (_, index) =>
        open(port, key, paths[(openedCount + index) % paths.length] ?? ''),
      )
      await Promise.all(pieces)
    }
    return streamCount
  },
  streamed: () => streamed,
}
serveCalls(0, calls, async () => {})
