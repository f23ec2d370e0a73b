import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Simulation } from '@framegate/contract'

/** Number of chunks that are sent per second. */
const stepsPerSecond = 10

/** Throttles a download to the simulated rate, and fails it after the simulated number of bytes. */
export function simulateDownload(stream: Readable, simulate: Simulation): Readable {
  const { download_bytes_per_second: bytesPerSecond, download_breaks_after_bytes: breaksAfterBytes = Infinity } = simulate
  if (bytesPerSecond === undefined && breaksAfterBytes === Infinity) return stream
  return Readable.from(throttle(stream, bytesPerSecond ?? Infinity, breaksAfterBytes), { objectMode: false })
}

async function* throttle(stream: Readable, bytesPerSecond: number, breaksAfterBytes: number): AsyncGenerator<Buffer> {
  const stepBytes = Math.ceil(bytesPerSecond / stepsPerSecond)
  let bytesSent = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let remaining = chunk; remaining.byteLength > 0;) {
      const part = remaining.subarray(0, Math.min(stepBytes, breaksAfterBytes - bytesSent))
      if (part.byteLength === 0) throw new Error('the download was aborted, as its task simulates')
      yield part
      bytesSent += part.byteLength
      remaining = remaining.subarray(part.byteLength)
      if (bytesPerSecond !== Infinity) await setTimeout((part.byteLength / bytesPerSecond) * 1000)
    }
  }
}
