import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Simulation } from '@framegate/contract'

/** Minimum number of chunks that are sent per second. */
const chunksPerSecondMin = 10

/** Throttles a download to the simulated rate, and fails it after the simulated number of bytes. */
export function simulateDownload(stream: Readable, simulation: Simulation): Readable {
  const { download_bytes_per_second: bytesPerSecond, download_breaks_after_bytes: breaksAfterBytes = Infinity } = simulation
  if (bytesPerSecond === undefined && breaksAfterBytes === Infinity) return stream
  return Readable.from(throttle(stream, bytesPerSecond ?? Infinity, breaksAfterBytes), { objectMode: false })
}

async function* throttle(stream: Readable, bytesPerSecond: number, breaksAfterBytes: number): AsyncGenerator<Buffer> {
  const chunkBytesMax = Math.ceil(bytesPerSecond / chunksPerSecondMin)
  let sentBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let remaining = chunk; remaining.byteLength > 0;) {
      const part = remaining.subarray(0, Math.min(chunkBytesMax, breaksAfterBytes - sentBytes))
      if (part.byteLength === 0) throw new Error('the download was aborted, as its task simulates')
      yield part
      sentBytes += part.byteLength
      remaining = remaining.subarray(part.byteLength)
      if (bytesPerSecond !== Infinity) await setTimeout((part.byteLength / bytesPerSecond) * 1000)
    }
  }
}
