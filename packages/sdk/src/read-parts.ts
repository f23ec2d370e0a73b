import { FramegateError } from './framegate-error.ts'
import { changed, type OpenPart, type Part, type Retries } from './open-part.ts'
import { isWorthRepeating, pause, pauseSecondsBefore } from './retry.ts'

export interface ReadPartsSettings {
  part: Part
  openPart: OpenPart
  /** Discards the bytes read so far. Without it, a result that must begin again is an error. */
  restart: (() => void | Promise<void>) | undefined
  retries: Retries
}

export interface ReadChunk {
  chunk: Uint8Array
  receivedBytes: number
  totalBytes: number | null
}

/**
 * Reads to the end over any number of connections. Only consecutive connections without new bytes
 * count as retries.
 */
export async function* readParts({ part, openPart, restart, retries }: ReadPartsSettings): AsyncGenerator<ReadChunk> {
  let receivedBytes = 0
  let furthestBytes = 0
  let breaks = 0
  try {
    for (;;) {
      try {
        for (let chunk = await part.read(); chunk !== null; chunk = await part.read()) {
          receivedBytes += chunk.byteLength
          yield { chunk, receivedBytes, totalBytes: part.totalBytes }
        }
        if (receivedBytes >= (part.totalBytes ?? 0)) return
        throw new FramegateError({ code: 'connection_failed', message: 'The result ended before it was complete.' })
      } catch (error) {
        part.close()
        breaks = receivedBytes > furthestBytes ? 1 : breaks + 1
        furthestBytes = Math.max(furthestBytes, receivedBytes)
        if (breaks > retries.maxRetries || !isWorthRepeating(error)) throw error
        const delaySeconds = pauseSecondsBefore(breaks, null)
        retries.onRetry?.({ error, count: breaks, delaySeconds })
        await pause(delaySeconds, retries.signal)
      }
      part = await openPart(receivedBytes)
      if (part.start === receivedBytes) continue
      if (restart === undefined) throw changed()
      await restart()
      receivedBytes = 0
    }
  } finally {
    part.close()
  }
}
