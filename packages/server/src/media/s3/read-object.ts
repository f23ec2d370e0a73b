import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { MediaStoreError, type ByteRange, type OpenedMedia } from '../media-store.ts'
import type { Bucket, OpenedObject } from './bucket.ts'

/** Maximum time without a received byte. */
const idleTimeoutMs = 30_000
const openTimeoutMs = 60_000
/** Number of consecutive interruptions without a received byte after which the read fails. */
const interruptionsMax = 4
/** Half of the first pause before a reconnection. Each further pause is twice the previous one. */
const pauseUnitMs = 200

/**
 * Reads an object, or a range of it. If the connection is lost or stalls, a new one continues at
 * the next byte, unless the object was replaced or removed.
 */
export async function readObject(bucket: Bucket, key: string, range: ByteRange | undefined): Promise<OpenedMedia | undefined> {
  const stop = new AbortController()
  const openedObject = await openAt(bucket, key, range, undefined, stop)
  if (openedObject === undefined) return undefined
  const requestedRange = range ?? { start: 0, end: openedObject.sizeBytes - 1 }
  const stream = Readable.from(chunksOf(bucket, key, openedObject, requestedRange, stop), { objectMode: false })
  // If the reader destroys the stream, stops without waiting for the next chunk.
  stream.once('close', () => {
    stop.abort()
    openedObject.stream.destroy()
  })
  return { stream, sizeBytes: openedObject.sizeBytes }
}

async function* chunksOf(
  bucket: Bucket,
  key: string,
  openedObject: OpenedObject,
  { start, end }: ByteRange,
  stop: AbortController,
) {
  let position = start
  let { stream } = openedObject
  for (let interruptionCount = 0; position <= end;) {
    try {
      for await (const chunk of failIfSilent(stream)) {
        position += chunk.byteLength
        interruptionCount = 0
        yield chunk
      }
      if (openedObject.sizeBytes <= end)
        throw new MediaStoreError('damaged', `the file ended after ${openedObject.sizeBytes} bytes`)
      if (position <= end) throw new MediaStoreError('unavailable', 'the bucket closed a file before its end')
    } catch (cause) {
      if (stop.signal.aborted || isFinal(cause) || ++interruptionCount === interruptionsMax) throw cause
      await sleep(pauseUnitMs * 2 ** interruptionCount, undefined, { signal: stop.signal })
      const next = await openAt(bucket, key, { start: position, end }, openedObject.etag, stop)
      if (next === undefined) throw cause
      stream = next.stream
    }
  }
  stream.destroy()
}

/** Whether the object is shorter than the requested range, so that a new connection cannot help. */
function isFinal(cause: unknown): boolean {
  return cause instanceof MediaStoreError && cause.code === 'damaged'
}

async function openAt(
  bucket: Bucket,
  key: string,
  range: ByteRange | undefined,
  etag: string | undefined,
  stop: AbortController,
) {
  const timer = setTimeout(() => stop.abort(new MediaStoreError('unavailable', 'the bucket did not respond')), openTimeoutMs)
  try {
    return await bucket.get(key, range, etag, stop.signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Fails if the connection is silent for too long, not counting time in which the reader is busy.
 */
async function* failIfSilent(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(
        () => stream.destroy(new MediaStoreError('unavailable', 'the bucket stopped sending')),
        idleTimeoutMs,
      )
      const next = await chunks.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value
    }
  } finally {
    stream.destroy()
  }
}
