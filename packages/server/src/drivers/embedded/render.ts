import { setTimeout as sleep } from 'node:timers/promises'
import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { RenderOutcome, PlanOverlay, PlanImage, RenderPool } from '@framegate/renderer'
import { inputEffectsOf, reverseFrames, type InputEffects } from './input-effects.ts'
import type { OpenSound, OpenVideo } from './opened-video.ts'
import type { PlannedRender, RequestedClip, RequestedImage } from './plan-render.ts'
import { DriverRefusal, type DriverOutput, type GenerationRequest, type OperationChanged, type PollOutcome } from '../driver.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import { sizeWithin, thumbnailSideMax } from '../../media/previews/preview-size.ts'
import { isStorageError } from '../../media/storage-error.ts'
import type { ScratchFolder } from './scratch-folder.ts'
import type { WatermarkDesign } from '../../watermark/watermark-design.ts'

/**
 * Reads an image that a client refers to, with all protections against untrusted files. The pixels
 * have a buffer of their own, which can be transferred to another thread. Throws an error named
 * `InvalidImage`, whose message is for the client.
 */
export type ReadImage = (source: string, options: Omit<RequestedImage, 'source'> & { signal: AbortSignal }) => Promise<PlanImage>

export interface LoadedRenderer {
  pool: RenderPool
  /** Returns the seed of a prompt, for a request without a seed. */
  seedOf: (prompt: string) => number
}

export interface RenderDependencies {
  loadRenderer(): Promise<LoadedRenderer>
  scratch: ScratchFolder
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
  /**
   * Limits the number of renders that have decoded images in memory. A render holds a slot from the
   * time at which it begins to read images until it ends or pauses after a storage error.
   */
  imageSemaphore: Semaphore
  onChanged: OperationChanged
  onError(attemptId: string, error: string): void
}

/** First and longest pause between renders while the storage fails. */
const storageWaitMs = { initial: 1_000, max: 30_000 }

/** The render calls `onChanged` each time its progress reaches a multiple of this percentage. */
const percentStep = 10

/**
 * The render of one attempt: queued -> running -> succeeded | failed. The constructor starts it.
 */
export class Render {
  readonly #request: GenerationRequest
  readonly #planned: PlannedRender
  readonly #dependencies: RenderDependencies
  readonly #stopController = new AbortController()
  readonly #settled: Promise<void>
  readonly #fileNames: readonly string[]
  #seeds: readonly number[] = []
  /**
   * Number of complete files. After a storage error, the render continues with the next file.
   */
  #completeCount = 0
  #outcome: PollOutcome = { state: 'queued' }

  constructor(request: GenerationRequest, planned: PlannedRender, dependencies: RenderDependencies) {
    this.#request = request
    this.#planned = planned
    this.#dependencies = dependencies
    const extension = planned.object === 'image' ? 'png' : 'mp4'
    this.#fileNames = Array.from({ length: planned.variationCount }, (_, index) =>
      index === 0 ? `${request.attemptId}.${extension}` : `${request.attemptId}-${index + 1}.${extension}`,
    )
    this.#settled = this.#run()
  }

  get outcome(): PollOutcome {
    return this.#outcome
  }

  get hasEnded(): boolean {
    return this.#outcome.state === 'succeeded' || this.#outcome.state === 'failed'
  }

  /** Stops the render if it is still running, and removes its files. Never throws. */
  async end(): Promise<void> {
    this.#stopController.abort()
    await this.#settled
    for (const name of this.#fileNames.flatMap((file) => [file, frameNameOf(file)])) {
      await this.#dependencies.scratch.removeFile(name).catch(() => {})
    }
  }

  async #run(): Promise<void> {
    try {
      this.#outcome = this.#outcomeOf(await this.#renderWithStorage())
    } catch (error) {
      this.#outcome = this.#outcomeOfError(error)
    }
    if (!this.#stopController.signal.aborted) this.#dependencies.onChanged(this.#request.attemptId)
  }

  /**
   * Renders, and retries with back-off while the scratch folder is full or not writable, or the
   * media store cannot read an asset. The retries end when the render is stopped, for example at
   * the deadline of the attempt.
   */
  async #renderWithStorage(): Promise<RenderOutcome> {
    for (let waitMs = storageWaitMs.initial; ; waitMs = Math.min(2 * waitMs, storageWaitMs.max)) {
      const renderOutcome = await this.#renderWithFiles().catch((error: unknown): RenderOutcome => {
        if (isImageRefusal(error) || !isStorageError(error)) throw error
        return { outcome: 'failed', error: String(error), isOfStorage: true }
      })
      if (renderOutcome.outcome !== 'failed' || renderOutcome.isOfStorage !== true) return renderOutcome
      this.#dependencies.onError(this.#request.attemptId, renderOutcome.error)
      const incompleteFile = this.#fileNames[this.#completeCount]
      if (incompleteFile !== undefined) await this.#dependencies.scratch.removeFile(incompleteFile).catch(() => {})
      await sleep(waitMs, undefined, { signal: this.#stopController.signal })
    }
  }

  /**
   * Renders with the input files, if there are any. They are read before a render slot is acquired,
   * so that a slow URL does not delay other renders.
   */
  async #renderWithFiles(): Promise<RenderOutcome> {
    const { imageSemaphore } = this.#dependencies
    const { requested, video, sound } = this.#planned
    if (requested.length === 0 && video === null && sound === null) return await this.#render([], {})
    if (!(await imageSemaphore.acquire(this.#stopController.signal))) return { outcome: 'stopped' }
    try {
      return video === null && sound === null
        ? await this.#render(await this.#readImages(), {})
        : await this.#renderWithVideoOrSound()
    } finally {
      imageSemaphore.release()
    }
  }

  /**
   * Renders with the input video, the input audio or both. Their temporary files exist until the
   * render has ended.
   */
  async #renderWithVideoOrSound(): Promise<RenderOutcome> {
    const { signal } = this.#stopController
    const { plan, video: requestedVideo, sound: requestedSound } = this.#planned
    await using video =
      requestedVideo === null
        ? undefined
        : await this.#dependencies.openVideo(requestedVideo.source, { ...requestedVideo, signal })
    await using sound =
      requestedSound === null
        ? undefined
        : await this.#dependencies.openSound(requestedSound.source, { ...requestedSound, signal })
    const inputEffects = inputEffectsOf(this.#planned, video, sound)
    const { width, height } = plan
    const leadingFrames =
      requestedVideo?.use === 'extend' && video !== undefined ? [await video.lastFrame({ width, height })] : []
    return await this.#render([...leadingFrames, ...(await this.#readImages())], inputEffects)
  }

  async #readImages(): Promise<PlanImage[]> {
    const { signal } = this.#stopController
    const images = this.#planned.requested.map((requested) => this.#readImage(requested, signal))
    // An abort does not wait for images that are still being read.
    return await orAborted(Promise.all(images), signal)
  }

  async #readImage({ source, ...options }: RequestedImage | RequestedClip, signal: AbortSignal): Promise<PlanImage> {
    if ('fit' in options) return await this.#dependencies.readImage(source, { ...options, signal })
    const { position, ...requested } = options
    await using video = await this.#dependencies.openVideo(source, { position, signal })
    const clip = await video.firstFrames({ ...requested, framesPerSecond })
    return this.#planned.isReversed ? reverseFrames(clip) : clip
  }

  async #render(
    images: PlanImage[],
    { opening, video, frames = this.#planned.plan.frames, sound }: InputEffects,
  ): Promise<RenderOutcome> {
    const { plan, object, isReversed, hasAmbience, watermark } = this.#planned
    const { pool, seedOf } = await this.#dependencies.loadRenderer()
    this.#seeds = seedsFrom(this.#planned.seed ?? seedOf(plan.prompt), this.#fileNames.length)
    const overlay = watermark && (await drawOverlay(plan, watermark))
    let renderOutcome: RenderOutcome = { outcome: 'done' }
    for (let index = this.#completeCount; index < this.#fileNames.length && renderOutcome.outcome === 'done'; index++) {
      const [seed = 0, name = ''] = [this.#seeds[index], this.#fileNames[index]]
      const path = await this.#dependencies.scratch.newFile(name)
      // Rendering transfers the pixels to another thread, and the next variation needs them again.
      const transferredImages = index + 1 < this.#fileNames.length ? images.map(copyOf) : images
      const renderRequest = {
        plan: { ...plan, frames, seed, images: transferredImages, overlay, ...(video && { given: video }) },
        object,
        isReversed,
        hasAmbience,
        path,
        ...this.#earlyFrame(name),
        ...(opening && { opening }),
        ...(sound && { givenSound: sound }),
      }
      renderOutcome = await pool.render(renderRequest, this.#stopController.signal, (percent) => this.#advanceTo(percent))
      if (renderOutcome.outcome === 'done') this.#completeCount = index + 1
    }
    return renderOutcome
  }

  /** Returns the path and size of the frame for the thumbnail of a video. */
  #earlyFrame(fileName: string): Pick<DriverOutput, 'earlyFrame'> {
    const { object, plan } = this.#planned
    if (object === 'image') return {}
    return {
      earlyFrame: { path: this.#dependencies.scratch.pathOf(frameNameOf(fileName)), ...sizeWithin(plan, thumbnailSideMax) },
    }
  }

  /** Records the progress. `percent` is the progress of the variation that is being rendered. */
  #advanceTo(percent: number): void {
    const previousProgress = this.#outcome.state === 'running' ? (this.#outcome.progress ?? 0) : 0
    const progress = Math.floor((100 * this.#completeCount + percent) / this.#fileNames.length)
    this.#outcome = { state: 'running', progress }
    if (Math.floor(progress / percentStep) > Math.floor(previousProgress / percentStep))
      this.#dependencies.onChanged(this.#request.attemptId)
  }

  #outcomeOf(renderOutcome: RenderOutcome): PollOutcome {
    if (renderOutcome.outcome === 'done') {
      const contentType = this.#planned.object === 'image' ? 'image/png' : 'video/mp4'
      const [firstOutput, ...otherOutputs] = this.#fileNames.map((location, index) => {
        const seed = this.#seeds[index]
        return { contentType, location, ...(seed !== undefined && { seed }), ...this.#earlyFrame(location) }
      })
      if (firstOutput !== undefined) return { state: 'succeeded', outputs: [firstOutput, ...otherOutputs] }
    }
    if (renderOutcome.outcome === 'failed') {
      this.#dependencies.onError(this.#request.attemptId, renderOutcome.error)
      return { state: 'failed', code: 'upstream_failed', reason: 'The rendering failed.', retryable: true }
    }
    return { state: 'failed', code: 'cancelled', reason: 'The rendering was cancelled.', retryable: false }
  }

  #outcomeOfError(error: unknown): PollOutcome {
    if (this.#stopController.signal.aborted) return this.#outcomeOf({ outcome: 'stopped' })
    if (error instanceof DriverRefusal) return { state: 'failed', code: error.code, reason: error.message, retryable: false }
    if (isImageRefusal(error)) {
      const isRetryable = 'isTransient' in error && error.isTransient === true
      return { state: 'failed', code: 'invalid_input', reason: error.message, retryable: isRetryable }
    }
    return this.#outcomeOf({ outcome: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function frameNameOf(fileName: string): string {
  return `${fileName}.frame`
}

const seedCount = 2 ** 32

/** Returns consecutive seeds, one for each variation. 0 follows the highest seed. */
function seedsFrom(firstSeed: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (firstSeed + index) % seedCount)
}

function copyOf(image: PlanImage): PlanImage {
  return { ...image, rgba: image.rgba.slice() }
}

function isImageRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'InvalidImage'
}

/** Draws the watermark. Loads the drawing library on first use. */
async function drawOverlay(size: PixelSize, design: WatermarkDesign): Promise<PlanOverlay> {
  const { watermarkPixels } = await import('../../watermark/watermark-pixels.ts')
  return watermarkPixels(size, design)
}
