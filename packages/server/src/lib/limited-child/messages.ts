import type { Readable, Writable } from 'node:stream'

/**
 * A message between the service and a child process over a pipe: a JSON header and a binary body,
 * preceded by the lengths of both.
 *
 *   service                  child
 *                  <------   { kind: 'ready' }
 *   request        ------>
 *                  <------   response
 *   end            ------>   the child ends
 */
export interface Message {
  header: unknown
  /** A copy of the received bytes in a separate buffer. */
  body: Buffer
}

const lengthsBytes = 8
const headerBytesMax = 64 * 1024

export function writeMessage(channel: Writable, header: object, body?: Uint8Array): void {
  const text = Buffer.from(JSON.stringify(header))
  const lengths = Buffer.alloc(lengthsBytes)
  lengths.writeUInt32BE(text.byteLength, 0)
  lengths.writeUInt32BE(body?.byteLength ?? 0, 4)
  channel.cork()
  channel.write(lengths)
  channel.write(text)
  if (body !== undefined) channel.write(body)
  channel.uncork()
}

/**
 * Yields the received messages until the other side closes the channel, and drops an incomplete
 * message at the end. Throws if a message is longer than allowed. An error of the channel counts as
 * its end, because a side that is killed before it has read a message resets the channel.
 */
export async function* readMessages(channel: Readable, bodyBytesMax: number): AsyncGenerator<Message, void> {
  const readExactly = createReader(channel)
  for (;;) {
    const lengths = await readExactly(lengthsBytes)
    if (lengths === undefined) return
    const [headerBytes, bodyBytes] = [lengths.readUInt32BE(0), lengths.readUInt32BE(4)]
    if (headerBytes > headerBytesMax || bodyBytes > bodyBytesMax) throw new RangeError('a message is longer than allowed')
    const header = await readExactly(headerBytes)
    const body = await readExactly(bodyBytes)
    if (header === undefined || body === undefined) return
    yield { header: JSON.parse(header.toString()), body }
  }
}

/**
 * Returns a function that reads exactly `byteCount` bytes, copying them once from the received
 * chunks. It returns undefined if the channel ends first.
 */
function createReader(channel: Readable): (byteCount: number) => Promise<Buffer | undefined> {
  const chunks: AsyncIterator<Buffer> = channel[Symbol.asyncIterator]()
  let unread: Buffer = Buffer.alloc(0)
  return async (byteCount) => {
    const bytes = Buffer.allocUnsafeSlow(byteCount)
    for (let filledBytes = 0; filledBytes < byteCount;) {
      if (unread.byteLength === 0) {
        const next = await chunks.next().catch(() => undefined)
        if (next === undefined || next.done === true) return undefined
        unread = next.value
      }
      const copiedBytes = unread.copy(bytes, filledBytes)
      filledBytes += copiedBytes
      unread = unread.subarray(copiedBytes)
    }
    return bytes
  }
}
