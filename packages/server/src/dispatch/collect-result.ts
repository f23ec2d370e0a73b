import { textBytesMax, type MediaObject, type TaskObject } from '@framegate/contract'
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import type { GeneratedText, StoredResult } from '../db/task-queries.ts'
import { OutputUnavailable, type Driver, type DriverOutput, type LocalFile } from '../drivers/driver.ts'
import { createFolder } from '../lib/create-folder.ts'
import { findFileError } from '../lib/file-error.ts'
import { limitBytes } from '../lib/limit-bytes.ts'
import { messageOf } from '../lib/message-of.ts'
import { writeHashed } from '../lib/write-hashed.ts'
import { MediaStoreError, type MediaStore, type PutOptions, type StoredMedia } from '../media/media-store.ts'
import { resultObjectKey } from '../media/result-file-name.ts'
import { MediaProbeError, probeMedia, type ProbedMedia } from '../media/probe-media.ts'
import { probeText } from '../media/probe-text.ts'
import type { ProbeUntrusted } from '../media/prober/prober-pool.ts'
import type { Previews } from '../previews/previews.ts'
import { untilAborted } from '../media/until-aborted.ts'
import { WatermarkError, type DrawWatermark } from '../watermark/draw-watermark.ts'
import { productWatermark, type WatermarkDesign } from '../watermark/watermark-design.ts'

/** Maximum size of one file, larger than any result of a model of the catalogue. */
const resultBytesMax = 1024 * 1024 * 1024

/**
 * Thrown if the upstream's file cannot be fetched, or is not a usable result because it is
 * incomplete, damaged, too large or of the wrong type.
 */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }

  /** Whether the server of the file is temporarily unavailable. */
  get isTransient(): boolean {
    return this.cause instanceof OutputUnavailable
  }
}

export interface CollectorDependencies {
  mediaStore: MediaStore
  drawWatermark: DrawWatermark
  /** Probes images and videos, except those that the driver marks with `LocalFile.isOwn`. */
  probeUntrustedFile: ProbeUntrusted
  /**
   * Folder for temporary files on their way to the media store. The collector uses a subfolder,
   * which it empties at start-up.
   */
  scratchDir: string
  retentionMs: number
  /** Creates thumbnails of the collected files. Default: no thumbnails are created. */
  previews?: Pick<Previews, 'linkFile' | 'startThumbnails' | 'release'>
}

export interface CollectRequest {
  taskId: string
  attemptId: string
  object: TaskObject
  driver: Driver
  output: DriverOutput
  /** Position of the output in its job, from 0. It is part of the object key. */
  position: number
  /**
   * Bytes that remain of the common size limit of the task's results. Each file also has the limit
   * of its type: `textBytesMax` for a text, 1 GiB for any other file.
   */
  bytesMax: number
  nowMs: number
  /** Retention of this result. Default: the retention of the installation. */
  retentionMs: number | undefined
  /** Default: the product's design. */
  watermarkDesign?: WatermarkDesign | undefined
  signal: AbortSignal
}

/** A stored result. If the result is a text, `text` is its content. */
export interface CollectedResult extends StoredResult {
  text?: GeneratedText
}

export interface Collector {
  /**
   * Rejects with `UnusableResult` if the upstream's file cannot be fetched or is not usable. Any
   * other error comes from the service's own storage, and the caller may collect the result again.
   */
  collect(request: CollectRequest): Promise<CollectedResult>
  /**
   * Removes the files that this process or an earlier one stored for the first `outputCount`
   * outputs of a task. Keeps the files of `results`, the results of the completed task.
   */
  discard(taskId: string, outputCount: number, results?: readonly StoredResult[]): Promise<void>
  /** Starts to create thumbnails of the results of a completed task. */
  startThumbnails(accountNo: number, results: readonly StoredResult[]): void
  /**
   * Releases the files that are kept for the thumbnails of a task. Must be called when the work on
   * the task ends, whatever its outcome.
   */
  release(taskId: string): Promise<void>
}

/**
 * Stores result files in the media store. The collector streams a remote file to a temporary file,
 * probes it, draws a requested watermark if the file lacks it, and stores the file. A retry after a
 * restart writes to the same object key, so no file is orphaned.
 */
export async function openCollector(dependencies: CollectorDependencies): Promise<Collector> {
  const { mediaStore, drawWatermark, probeUntrustedFile, scratchDir, retentionMs: defaultRetentionMs, previews } = dependencies
  const collectedDir = path.join(scratchDir, 'collected')
  await rm(collectedDir, { recursive: true, force: true })
  await mkdir(collectedDir, { recursive: true })
  return {
    startThumbnails: (accountNo, results) => previews?.startThumbnails(accountNo, results),
    release: async (taskId) => await previews?.release(taskId),
    async discard(taskId, outputCount, results = []) {
      const keptKeys = new Set(results.map(({ objectKey }) => objectKey))
      for (let position = 0; position < outputCount; position++) {
        const objectKeys = [...Object.values(extensionByType), textExtension].map((extension) =>
          resultObjectKey(taskId, position, extension),
        )
        for (const objectKey of objectKeys) if (!keptKeys.has(objectKey)) await mediaStore.remove(objectKey)
      }
    },
    async collect(request) {
      const { taskId, attemptId, object, driver, output, position, nowMs, signal } = request
      const { retentionMs = defaultRetentionMs, watermarkDesign: design = productWatermark } = request
      const bytesMax = Math.min(object === 'text' ? textBytesMax : resultBytesMax, request.bytesMax)
      const scratchFiles: string[] = []
      async function newScratchFile(): Promise<string> {
        const file = path.join(collectedDir, `${attemptId}.${randomUUID()}`)
        scratchFiles.push(file)
        await createFolder(collectedDir)
        return file
      }
      try {
        const fetchedFile =
          findLocalFile(driver, output, bytesMax) ?? (await fetchInto(await newScratchFile(), driver, output, bytesMax, signal))
        if (object === 'text') {
          const text = await rethrowAsUnusable(probeText(fetchedFile.path), isProbeError)
          const objectKey = resultObjectKey(taskId, position, textExtension)
          const { sizeBytes, sha256 } = await storeFile(mediaStore, objectKey, fetchedFile, { bytesMax, signal })
          const engine = output.engine === undefined ? {} : { engine: output.engine }
          const expiresAtMs = nowMs + retentionMs
          return { ...textResultFields, objectKey, sizeBytes, sha256, expiresAtMs, text: { text, ...engine } }
        }
        const probing = fetchedFile.isOwn === true ? probeMedia(fetchedFile.path) : probeUntrustedFile(fetchedFile.path, signal)
        const producedMedia = await requireKind(probing, object)
        const watermarkedFile = output.lacksWatermark === true ? await newScratchFile() : null
        if (watermarkedFile !== null)
          await awaitWatermark(drawWatermark(producedMedia, { from: fetchedFile.path, to: watermarkedFile, design }, signal))
        const file: LocalFile = watermarkedFile === null ? fetchedFile : { path: watermarkedFile }
        const finalMedia =
          watermarkedFile === null ? producedMedia : await requireKind(probeUntrustedFile(watermarkedFile, signal), object)
        const objectKey = resultObjectKey(taskId, position, requireExtension(finalMedia))
        const storedFile = await storeFile(mediaStore, objectKey, file, { bytesMax, signal })
        await previews?.linkFile(objectKey, { path: file.path, media: finalMedia, frame: output.earlyFrame })
        return {
          objectKey,
          contentType: finalMedia.contentType,
          sizeBytes: storedFile.sizeBytes,
          sha256: storedFile.sha256,
          width: finalMedia.width,
          height: finalMedia.height,
          // The duration of the file before a watermark is drawn. The charge depends on it.
          durationMs: producedMedia.durationSeconds === null ? null : Math.round(producedMedia.durationSeconds * 1000),
          seed: output.seed ?? null,
          expiresAtMs: nowMs + retentionMs,
          removed: false,
        }
      } finally {
        for (const scratchFile of scratchFiles) await rm(scratchFile, { force: true })
      }
    },
  }
}

/** Returns the file of an output if it is on this machine, or undefined if it must be fetched. */
function findLocalFile(driver: Driver, output: DriverOutput, bytesMax: number): LocalFile | undefined {
  const file = driver.outputFile?.(output)
  const stats = file && statSync(file.path, { throwIfNoEntry: false })
  if (file !== undefined && stats === undefined) throw new UnusableResult('the file of the result is missing')
  if (stats !== undefined && stats.size > bytesMax) throw new UnusableResult(`the file is larger than ${bytesMax} bytes`)
  return file
}

async function fetchInto(
  scratchFile: string,
  driver: Driver,
  output: DriverOutput,
  bytesMax: number,
  signal: AbortSignal,
): Promise<LocalFile> {
  await using file = await open(scratchFile, 'w')
  return { path: scratchFile, knownMedia: await writeHashed(file, readOutput(driver, output, bytesMax, signal)) }
}

async function* readOutput(driver: Driver, output: DriverOutput, bytesMax: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  try {
    // An error on either stream destroys both.
    stream = pipeline(await driver.fetchOutput(output, signal), limitBytes(bytesMax), () => {})
    for await (const chunk of untilAborted(stream, signal)) yield chunk
  } catch (error) {
    throw new UnusableResult(error)
  } finally {
    stream?.destroy()
  }
}

async function storeFile(
  mediaStore: MediaStore,
  objectKey: string,
  { path: file, knownMedia, isSynced }: LocalFile,
  options: PutOptions,
): Promise<StoredMedia> {
  try {
    return await mediaStore.putFile(objectKey, file, { ...options, knownMedia, isSynced: isSynced === true })
  } catch (error) {
    throw error instanceof MediaStoreError && error.code === 'too_large' ? new UnusableResult(error) : error
  }
}

async function requireKind(probing: Promise<ProbedMedia>, object: MediaObject): Promise<ProbedMedia> {
  const media = await rethrowAsUnusable(probing, isProbeError)
  if (media.kind !== object)
    throw new UnusableResult(
      `the result is of type ${media.contentType}, which is not ${object === 'image' ? 'an image' : 'a video'}`,
    )
  return media
}

function isProbeError(error: unknown): boolean {
  return error instanceof MediaProbeError
}

async function awaitWatermark(work: Promise<void>): Promise<void> {
  await rethrowAsUnusable(work, (error) => error instanceof WatermarkError)
}

/**
 * Throws `UnusableResult` if the work fails because of the file's contents. Rethrows any other
 * error, such as one of the file system.
 */
async function rethrowAsUnusable<T>(work: Promise<T>, isContentError: (error: unknown) => boolean): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isContentError(error) && findFileError(error) === undefined ? new UnusableResult(error) : error
  }
}

const textExtension = 'txt'
const textResultFields = {
  contentType: 'text/plain; charset=utf-8',
  width: 0,
  height: 0,
  durationMs: null,
  seed: null,
  removed: false,
} as const

const extensionByType: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

function requireExtension(probed: ProbedMedia): string {
  const extension = extensionByType[probed.contentType]
  if (extension === undefined) throw new UnusableResult(`results of type ${probed.contentType} are not supported`)
  return extension
}
