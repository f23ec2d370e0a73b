import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredResult } from '../db/store.ts'
import type { Driver, DriverOutput } from '../drivers/driver.ts'
import { limitBytes } from '../lib/limit-bytes.ts'
import type { MediaStore } from '../media/media-store.ts'
import { probeMedia, type ProbedMedia } from '../media/probe-media.ts'

/** Larger than any result that the catalogue can ask for. */
const resultBytesMax = 1024 * 1024 * 1024

export interface CollectorOptions {
  mediaStore: MediaStore
  /** For files on their way from the driver to the media store. */
  scratchDir: string
  retentionMs: number
}

export interface CollectRequest {
  taskId: string
  attemptId: string
  object: 'image' | 'video'
  driver: Driver
  output: DriverOutput
  nowMs: number
  /** Instead of the installation's. */
  retentionMs: number | undefined
  signal: AbortSignal
}

export interface Collector {
  collect(request: CollectRequest): Promise<StoredResult>
  /** Removes whatever was collected for a task that has ended otherwise, by this process or by one that was killed. */
  discard(taskId: string): Promise<void>
}

/**
 * Brings a produced file into the media store: streamed to a scratch file, probed by content, then put. Done once more
 * after a restart it ends in the same asset, so nothing is left over.
 */
export function createCollector({ mediaStore, scratchDir, retentionMs: usualRetentionMs }: CollectorOptions): Collector {
  return {
    async discard(taskId) {
      for (const ending of Object.values(endings)) await mediaStore.remove(`${taskId}.${ending}`)
    },
    async collect({ taskId, attemptId, object, driver, output, nowMs, retentionMs = usualRetentionMs, signal }) {
      await mkdir(scratchDir, { recursive: true })
      const scratch = path.join(scratchDir, `${attemptId}.${randomUUID()}.collected`)
      try {
        const stream = await driver.fetchOutput(output, signal)
        await pipeline(stream, limitBytes(resultBytesMax), createWriteStream(scratch), { signal })
        const probed = await probeMedia(scratch)
        if (probed.kind !== object) throw new Error(`the result is of type ${probed.contentType}, and no ${object}`)
        const assetId = `${taskId}.${endingOf(probed)}`
        const stored = await mediaStore.put(assetId, createReadStream(scratch), { bytesMax: resultBytesMax, signal })
        return {
          assetId,
          contentType: probed.contentType,
          sizeBytes: stored.sizeBytes,
          sha256: stored.sha256,
          width: probed.width,
          height: probed.height,
          durationMs: probed.durationSeconds === null ? null : Math.round(probed.durationSeconds * 1000),
          seed: output.seed ?? null,
          expiresAtMs: nowMs + retentionMs,
          removed: false,
        }
      } finally {
        await rm(scratch, { force: true })
      }
    },
  }
}

const endings: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

function endingOf(probed: ProbedMedia): string {
  const ending = endings[probed.contentType]
  if (ending === undefined) throw new Error(`a result of type ${probed.contentType} is not kept`)
  return ending
}
