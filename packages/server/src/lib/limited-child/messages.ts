import type { Readable, Writable } from 'node:stream'

/**
 * A message between the service and a limited child over one pipe: a JSON header and a binary body.
 * The lengths of both precede each message.
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
 * Yields the received messages. Ends when the other side closes the channel, even within a message.
 * Throws when a message is longer than allowed.
 */
export async function* readMessages(channel: Readable, bodyBytesMax: number): AsyncGenerator<Message, void> {
  const take = createTake(channel)
  for (;;) {
    const lengths = await take(lengthsBytes)
    if (lengths === undefined) return
    const [headerBytes, bodyBytes] = [lengths.readUInt32BE(0), lengths.readUInt32BE(4)]
    if (headerBytes > headerBytesMax || bodyBytes > bodyBytesMax) throw new RangeError('a message is longer than allowed')
    const header = await take(headerBytes)
    const body = await take(bodyBytes)
    if (header === undefined || body === undefined) return
    yield { header: JSON.parse(header.toString()), body }
  }
}

/**
 * Returns a function that reads this many bytes. The bytes are copied once from the received
 * chunks. Undefined when the channel ends before that.
 */
function createTake(channel: Readable): (count: number) => Promise<Buffer | undefined> {
  const pieces: AsyncIterator<Buffer> = channel[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (count) => {
    const taken = Buffer.allocUnsafeSlow(count)
    for (let filled = 0; filled < count;) {
      if (rest.byteLength === 0) {
        const next = await pieces.next()
        if (next.done === true) return undefined
        rest = next.value
      }
      const copied = rest.copy(taken, filled)
      filled += copied
      rest = rest.subarray(copied)
    }
    return taken
  }
}
