import { FramegateError } from './framegate-error.ts'
import { resultChangedError, type OpenPart, type Part } from './open-part.ts'
import { isRetryable, pause, pauseSecondsBefore, type Retries } from './retry.ts'

export interface ReadPartsSettings {
  part: Part
  openPart: OpenPart
  /**
   * Discards the bytes that were read, because the download must start over. If undefined, the
   * download fails with `result_changed` instead.
   */
  restart: (() => void | Promise<void>) | undefined
  retries: Retries
}

export interface ReadChunk {
  chunk: Uint8Array
  receivedBytes: number
  totalBytes: number | null
}

/**
 * Yields the bytes until the end. Reconnects after a broken connection, but at most `maxRetries`
 * times without receiving a new byte.
 */
export async function* readParts({ part, openPart, restart, retries }: ReadPartsSettings): AsyncGenerator<ReadChunk> {
  let receivedBytes = 0
  let furthestBytes = 0
  let brokenConnections = 0
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
        brokenConnections = receivedBytes > furthestBytes ? 1 : brokenConnections + 1
        furthestBytes = Math.max(furthestBytes, receivedBytes)
        if (brokenConnections > retries.maxRetries || !isRetryable(error)) throw error
        const delaySeconds = pauseSecondsBefore(brokenConnections, null)
        retries.onRetry?.({ error, count: brokenConnections, delaySeconds })
        await pause(delaySeconds, retries.signal)
      }
      part = await openPart(receivedBytes)
      if (part.start === receivedBytes) continue
      if (restart === undefined) throw resultChangedError()
      await restart()
      receivedBytes = 0
    }
  } finally {
    part.close()
  }
}
