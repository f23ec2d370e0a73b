import { link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PreviewKind } from '@framegate/contract'
import type { Store } from '../db/store.ts'
import type { StoredPreview, StoredResult } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import { createPreview, NoVideoDecoder, type ResultFile } from '../media/previews/create-preview.ts'
import { PreviewRefusal, type PreviewEncoders } from '../media/previews/preview-encoder.ts'
import type { ProbeUntrusted } from '../media/prober/prober-pool.ts'
import { ownerIdOf, previewKey } from '../media/result-file-name.ts'
import { hasVideoDecoder } from '../media/video-frames/ffmpeg-decoder.ts'
import { canCreateThumbnail, isText } from './can-create-thumbnail.ts'
import { resultExpired, openResultFile } from './open-result-file.ts'
import { claimPreviews, readPreview, releasePreviews, type ResultKey } from './preview-rows.ts'
import { SharedJobs } from './shared-jobs.ts'

interface PreviewRequest {
  /** The account of the result. */
  accountNo: number
  signal: AbortSignal
  /**
   * Whether to create a recorded preview again, because its file is missing or damaged in the media
   * store.
   */
  isRetry?: boolean
}

/** The properties of a result on which its previews depend. */
export type PreviewedResult = Pick<StoredResult, 'objectKey' | 'contentType' | 'sizeBytes' | 'expiresAtMs' | 'thumbnail'>

export interface PreviewsDependencies {
  store: Pick<Store, 'database' | 'recordPreview' | 'isShared'>
  mediaStore: MediaStore
  encoders: Pick<PreviewEncoders, 'encode'>
  probeUntrustedFile: ProbeUntrusted
  scratchDir: string
  clock: Clock
  logger: Pick<Logger, 'warn'>
}

/** Maximum number of previews of one account that are in progress or queued in this process. */
const jobsOfAccountMax = 16
/** Maximum number of previews of all accounts together. It limits the memory of the queue. */
const jobsMax = 1_000
/**
 * Without a video decoder, `linkFile` links no frame of a video while at least this many previews
 * are in progress or queued, or will be created from linked files.
 */
const pendingMax = 16
/**
 * The process counts as busy if at least `busyPreviewCount` previews are in progress or queued, or
 * will be created from linked files, or if it linked a file less than `linkIntervalMs` ago. A busy
 * process creates thumbnails only on demand, because encoding thumbnails and syncing them to disk
 * would slow down the storage of results.
 */
const busyPreviewCount = 2
const linkIntervalMs = 500
const createMsMax = 120_000
/** Duration of a claim. It must exceed `createMsMax`. */
const claimMs = 150_000
const claimPollMs = 200
const previewBytesMax = 4 * 1024 * 1024
const retryAfterSeconds = '2'
/** Time for which the check for a video decoder is cached. */
const decoderCacheMs = 10_000

/**
 * Creates previews: small images of results. Each preview is created once and stored next to its
 * result.
 *
 *   after a task completes   the thumbnails of its results, from files that are still on this
 *                            machine; the completion does not wait for the thumbnails
 *   on demand                a preview that a client requests and that does not exist yet, because
 *                            the result is old, or the process crashed or was busy
 *
 * Accounts take turns, so that many previews of one account do not delay those of others.
 * Concurrent requests for one preview share a job, which stops when no client waits for the preview
 * any more. A claim in the row of the result prevents several processes from creating the same
 * preview. A result that cannot have a preview is recorded as such and not tried again.
 */
export class Previews implements AsyncDisposable {
  readonly #dependencies: PreviewsDependencies
  readonly #directory: string
  readonly #jobs = new SharedJobs<StoredPreview | null>()
  readonly #semaphore = new FairSemaphore(1)
  readonly #jobCountByAccount = new Map<number, number>()
  /** Hard links to files of results whose tasks have not completed yet, by object key. */
  readonly #linkedFiles = new Map<string, ResultFile>()
  #linkedAtMs = -Infinity
  #decoder = { isAvailable: false, checkedAtMs: -Infinity }

  private constructor(dependencies: PreviewsDependencies, directory: string) {
    this.#dependencies = dependencies
    this.#directory = directory
  }

  /** Creates an empty folder for linked and temporary files in the scratch folder. */
  static async open(dependencies: PreviewsDependencies): Promise<Previews> {
    const directory = path.join(dependencies.scratchDir, 'previews')
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    return new Previews(dependencies, directory)
  }

  /** Whether a link to the preview is expected to work. */
  canCreate({ objectKey, contentType, thumbnail }: PreviewedResult, kind: PreviewKind): boolean {
    // The spritesheet may already exist, even if this process cannot decode videos.
    if (kind === 'spritesheet') return !isText(contentType) && !contentType.startsWith('image/')
    const canDecode = (): boolean => this.#hasVideoDecoder() || this.#isCreating(objectKey)
    return canCreateThumbnail({ contentType, thumbnail }, canDecode)
  }

  /**
   * Returns the preview of a result, after creating it if necessary. Throws an `AppError` if the
   * result cannot have a preview or was removed, or if too many previews are in progress.
   */
  async get(result: PreviewedResult, kind: PreviewKind, request: PreviewRequest): Promise<StoredPreview> {
    if (isText(result.contentType)) throw noPreview(kind)
    const key = keyOf(result)
    const preview =
      (request.isRetry === true ? undefined : await this.#readRecorded(key, result, kind)) ??
      (await this.#joinJob(key, result, kind, request))
    if (preview === null) throw noPreview(kind)
    return preview
  }

  /**
   * Creates a hard link to the file of a collected result, or to its early frame, so that the
   * thumbnail can be created when the task completes. Does nothing if the thumbnail must be created
   * on demand.
   */
  async linkFile(objectKey: string, { path: file, media, frame }: ResultFile): Promise<void> {
    const canDecode = media.kind === 'image' || this.#hasVideoDecoder()
    // Without a decoder, only the early frame of the result can become its thumbnail. This process
    // cannot create the thumbnail later, so it links the frame even if the process is busy.
    if (canDecode ? this.#isBusy : frame === undefined || this.#pendingCount >= pendingMax) return
    this.#linkedAtMs = performance.now()
    const [source, target] = [frame?.path ?? file, path.join(this.#directory, `${objectKey}.linked`)]
    try {
      await mkdir(this.#directory, { recursive: true })
      await rm(target, { force: true })
      await link(source, target)
      this.#linkedFiles.set(objectKey, { path: target, media, frame: frame && { ...frame, path: target } })
    } catch (err) {
      // The file system may not support links. The thumbnail is then created on demand.
      this.#dependencies.logger.warn({ err }, 'a thumbnail could not be prepared; it will be created on demand')
    }
  }

  /** Starts creating the thumbnails of a completed task. */
  startThumbnails(accountNo: number, results: readonly PreviewedResult[]): void {
    for (const result of results) {
      const file = this.#linkedFiles.get(result.objectKey)
      if (file === undefined) continue
      this.#linkedFiles.delete(result.objectKey)
      const key = keyOf(result)
      void this.#jobs
        .run(previewKey(result.objectKey, 'thumbnail'), (signal) =>
          this.#create(key, result, 'thumbnail', { accountNo, signal, file }),
        )
        .catch((err: unknown) =>
          this.#dependencies.logger.warn(
            { err, task: key.taskId },
            'a thumbnail could not be created; it will be created on demand',
          ),
        )
        .finally(() => rm(file.path, { force: true }).catch(() => {}))
    }
  }

  /** Removes the linked files of a task for which no job was started. */
  async release(taskId: string): Promise<void> {
    for (const [objectKey, { path: file }] of this.#linkedFiles) {
      if (ownerIdOf(objectKey) !== taskId) continue
      this.#linkedFiles.delete(objectKey)
      await rm(file, { force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#jobs.close()
    await rm(this.#directory, { recursive: true, force: true })
  }

  #isCreating(objectKey: string): boolean {
    return this.#linkedFiles.has(objectKey) || this.#jobs.has(previewKey(objectKey, 'thumbnail'))
  }

  get #pendingCount(): number {
    return this.#jobs.size + this.#linkedFiles.size
  }

  get #isBusy(): boolean {
    return this.#pendingCount >= busyPreviewCount || performance.now() - this.#linkedAtMs < linkIntervalMs
  }

  #hasVideoDecoder(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#decoder.checkedAtMs > decoderCacheMs) this.#decoder = { isAvailable: hasVideoDecoder(), checkedAtMs: nowMs }
    return this.#decoder.isAvailable
  }

  async #readRecorded(
    key: ResultKey,
    { thumbnail }: PreviewedResult,
    kind: PreviewKind,
  ): Promise<StoredPreview | null | undefined> {
    if (kind === 'thumbnail' && thumbnail !== undefined) return thumbnail
    return await readPreview(this.#dependencies.store.database, key, kind)
  }

  async #joinJob(
    key: ResultKey,
    result: PreviewedResult,
    kind: PreviewKind,
    { accountNo, signal, isRetry = false }: PreviewRequest,
  ): Promise<StoredPreview | null> {
    const name = previewKey(key.objectKey, kind)
    if (!this.#jobs.has(name)) {
      if ((this.#jobCountByAccount.get(accountNo) ?? 0) >= jobsOfAccountMax) throw tooManyPreviews(kind)
      if (this.#jobs.size >= jobsMax) throw busy(kind)
    }
    return await this.#jobs.join(name, signal, (jobSignal) =>
      this.#create(key, result, kind, { accountNo, signal: jobSignal, isRetry }),
    )
  }

  /** Creates and stores a preview. While this runs, it counts toward the limit of its account. */
  async #create(
    key: ResultKey,
    result: PreviewedResult,
    kind: PreviewKind,
    request: PreviewRequest & { file?: ResultFile },
  ): Promise<StoredPreview | null> {
    this.#countJob(request.accountNo, 1)
    try {
      return await this.#createCounted(key, result, kind, request)
    } finally {
      this.#countJob(request.accountNo, -1)
    }
  }

  #countJob(accountNo: number, change: 1 | -1): void {
    const count = (this.#jobCountByAccount.get(accountNo) ?? 0) + change
    if (count === 0) this.#jobCountByAccount.delete(accountNo)
    else this.#jobCountByAccount.set(accountNo, count)
  }

  /** Creates and stores a preview. Returns null if the result cannot have one. */
  async #createCounted(
    key: ResultKey,
    result: PreviewedResult,
    kind: PreviewKind,
    { accountNo, signal: jobSignal, file, isRetry = false }: PreviewRequest & { file?: ResultFile },
  ): Promise<StoredPreview | null> {
    const { store, logger, clock } = this.#dependencies
    const signal = AbortSignal.any([jobSignal, AbortSignal.timeout(createMsMax)])
    for (;;) {
      if (!(await this.#semaphore.acquire(accountNo, signal))) throw this.#errorOf(signal.reason, jobSignal)
      let isClaimed = false
      try {
        // An earlier job or another process may have created the preview in the meantime.
        const preview = isRetry ? undefined : await readPreview(store.database, key, kind)
        if (preview !== undefined) return preview
        const missing = isRetry ? undefined : kind
        isClaimed = !store.isShared || (await claimPreviews(store.database, key, { nowMs: clock(), claimMs, missing }))
        if (isClaimed) return await this.#store(key, kind, await this.#encode(result, kind, file, signal), signal)
      } catch (error) {
        if (!(error instanceof PreviewRefusal)) {
          if (isClaimed && store.isShared) await releasePreviews(store.database, key)
          throw this.#errorOf(error, jobSignal)
        }
        logger.warn({ err: error, task: key.taskId, preview: kind }, 'a preview of a result cannot be created')
        await store.recordPreview({ ...key, kind, preview: null }, clock())
        return null
      } finally {
        this.#semaphore.release()
      }
      await sleep(claimPollMs)
    }
  }

  #errorOf(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof NoVideoDecoder) return noDecoder()
    const isTimeout = error instanceof Error && error.name === 'TimeoutError' && !signal.aborted
    return isTimeout
      ? new AppError('overloaded', 'The preview could not be created in time; try again shortly.', { cause: error })
      : error
  }

  async #encode(
    result: PreviewedResult,
    kind: PreviewKind,
    linkedFile: ResultFile | undefined,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { encoders } = this.#dependencies
    if (linkedFile !== undefined) return await createPreview(encoders, linkedFile, kind, signal)
    // Checked here to avoid copying and probing a file that cannot be decoded.
    if (!result.contentType.startsWith('image/') && !this.#hasVideoDecoder()) throw noDecoder()
    await using file = await openResultFile(this.#dependencies, result, this.#directory, signal)
    return await createPreview(encoders, file, kind, signal)
  }

  /**
   * Stores the preview. Throws if a deletion or retention has removed the result in the meantime.
   */
  async #store(key: ResultKey, kind: PreviewKind, webp: Buffer, signal: AbortSignal): Promise<StoredPreview> {
    const { store, mediaStore, clock } = this.#dependencies
    const name = previewKey(key.objectKey, kind)
    const preview = await mediaStore.put(name, Readable.from([webp]), { bytesMax: previewBytesMax, signal })
    if (await store.recordPreview({ ...key, kind, preview }, clock())) return preview
    await mediaStore.remove(name)
    throw resultExpired()
  }
}

function keyOf({ objectKey }: PreviewedResult): ResultKey {
  return { taskId: ownerIdOf(objectKey), objectKey }
}

export function noPreview(kind: PreviewKind): AppError {
  return new AppError('resource_not_found', `This result has no ${kind}.`)
}

function noDecoder(): AppError {
  const message = 'This service cannot decode this video, because it has no ffmpeg; its operator can install it.'
  return new AppError('resource_not_found', message)
}

function tooManyPreviews(kind: PreviewKind): AppError {
  const message = `The service is already creating ${jobsOfAccountMax} previews of this account; request this ${kind} again shortly.`
  return new AppError('rate_limited', message, { headers: { 'retry-after': retryAfterSeconds } })
}

function busy(kind: PreviewKind): AppError {
  const message = `The service is already creating many previews; request this ${kind} again shortly.`
  return new AppError('overloaded', message, { headers: { 'retry-after': retryAfterSeconds } })
}
