import { setTimeout as sleep } from 'node:timers/promises'
import { framesPerSecond, type PixelSize } from '@framegate/contract'
import type { OrderEnd, PlanOverlay, PlanImage, RenderPool } from '@framegate/renderer'
import { givenOf, reversed, type Given } from './given-of.ts'
import type { OpenSound, OpenVideo } from './opened-video.ts'
import type { PlannedRender, WantedClip, WantedImage } from './plan-render.ts'
import { DriverRefusal, type GenerationRequest, type OperationChanged, type PollOutcome } from '../driver.ts'
import { fileErrorIn } from '../../lib/file-error.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { ScratchFolder } from './scratch-folder.ts'
import type { WatermarkDesign } from '../../watermark/watermark-design.ts'

/**
 * Reads an image that a client refers to, with every guard. The pixels have a buffer of their own,
 * which is transferred. Throws an error named `ImageRefusal`, whose message is for the client.
 */
export type ReadImage = (source: string, options: Omit<WantedImage, 'source'> & { signal: AbortSignal }) => Promise<PlanImage>

export interface LoadedRenderer {
  pool: RenderPool
  /** Seed of a prompt whose request names none. */
  seedOf: (prompt: string) => number
}

export interface RenderTools {
  loadRenderer(): Promise<LoadedRenderer>
  scratch: ScratchFolder
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
  /** Limits the renders that hold images at a time. A render holds it from reading to its end. */
  imageSemaphore: Semaphore
  onChanged: OperationChanged
  onError(attemptId: string, error: string): void
}

const storageWaitMs = { first: 1_000, max: 30_000 }

/** The dispatcher is notified each time that progress passes a multiple of this. */
const percentStep = 10

/**
 * The render of one attempt: queued -> running -> succeeded | failed. The constructor starts it.
 */
export class Render {
  readonly #request: GenerationRequest
  readonly #planned: PlannedRender
  readonly #tools: RenderTools
  readonly #stopping = new AbortController()
  readonly #settled: Promise<void>
  readonly #fileNames: readonly string[]
  #seeds: readonly number[] = []
  /** Files that are whole. A render that waited for the storage continues after them. */
  #made = 0
  #outcome: PollOutcome = { state: 'queued' }

  constructor(request: GenerationRequest, planned: PlannedRender, tools: RenderTools) {
    this.#request = request
    this.#planned = planned
    this.#tools = tools
    const ending = planned.object === 'image' ? 'png' : 'mp4'
    this.#fileNames = Array.from({ length: planned.count }, (_, index) =>
      index === 0 ? `${request.attemptId}.${ending}` : `${request.attemptId}-${index + 1}.${ending}`,
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
    this.#stopping.abort()
    await this.#settled
    for (const name of this.#fileNames) await this.#tools.scratch.removeFile(name).catch(() => {})
  }

  async #run(): Promise<void> {
    try {
      this.#outcome = this.#outcomeOf(await this.#renderWithStorage())
    } catch (error) {
      this.#outcome = this.#outcomeOfError(error)
    }
    if (!this.#stopping.signal.aborted) this.#tools.onChanged(this.#request.attemptId)
  }

  /**
   * Retries with back-off while the scratch folder is full or broken. The dispatcher ends the wait
   * at the task's deadline.
   */
  async #renderWithStorage(): Promise<OrderEnd> {
    for (let waitMs = storageWaitMs.first; ; waitMs = Math.min(2 * waitMs, storageWaitMs.max)) {
      const end = await this.#renderWithImages().catch((error: unknown): OrderEnd => {
        if (isImageRefusal(error) || fileErrorIn(error) === undefined) throw error
        return { how: 'failed', error: String(error), isOfStorage: true }
      })
      if (end.how !== 'failed' || end.isOfStorage !== true) return end
      this.#tools.onError(this.#request.attemptId, end.error)
      const broken = this.#fileNames[this.#made]
      if (broken !== undefined) await this.#tools.scratch.removeFile(broken).catch(() => {})
      await sleep(waitMs, undefined, { signal: this.#stopping.signal })
    }
  }

  /** Reads images before a slot is acquired, so that a slow address delays no other render. */
  async #renderWithImages(): Promise<OrderEnd> {
    const { imageSemaphore } = this.#tools
    const { wanted, video, sound } = this.#planned
    if (wanted.length === 0 && video === null && sound === null) return await this.#render([], {})
    if (!(await imageSemaphore.acquire(this.#stopping.signal))) return { how: 'stopped' }
    try {
      return video === null && sound === null ? await this.#render(await this.#readImages(), {}) : await this.#renderWithGiven()
    } finally {
      imageSemaphore.release()
    }
  }

  /** Keeps the given video and sound until the render has ended. */
  async #renderWithGiven(): Promise<OrderEnd> {
    const { signal } = this.#stopping
    const { plan, video: wanted, sound: wantedSound } = this.#planned
    await using video = wanted === null ? undefined : await this.#tools.openVideo(wanted.source, { ...wanted, signal })
    await using sound =
      wantedSound === null ? undefined : await this.#tools.openSound(wantedSound.source, { ...wantedSound, signal })
    const given = givenOf(this.#planned, video, sound)
    const { width, height } = plan
    const leading = wanted?.use === 'extend' && video !== undefined ? [await video.lastFrame({ width, height })] : []
    return await this.#render([...leading, ...(await this.#readImages())], given)
  }

  async #readImages(): Promise<PlanImage[]> {
    const { signal } = this.#stopping
    const images = this.#planned.wanted.map((wanted) => this.#read(wanted, signal))
    return await Promise.race([Promise.all(images), rejectionAt(signal)])
  }

  async #read({ source, ...how }: WantedImage | WantedClip, signal: AbortSignal): Promise<PlanImage> {
    if ('fit' in how) return await this.#tools.readImage(source, { ...how, signal })
    const { position, ...wanted } = how
    await using video = await this.#tools.openVideo(source, { position, signal })
    const clip = await video.firstFrames({ ...wanted, framesPerSecond })
    return this.#planned.isReversed ? reversed(clip) : clip
  }

  async #render(images: PlanImage[], { opening, video, frames = this.#planned.plan.frames, sound }: Given): Promise<OrderEnd> {
    const { plan, object, isReversed, hasSound, watermark } = this.#planned
    const { pool, seedOf } = await this.#tools.loadRenderer()
    this.#seeds = seedsFrom(this.#planned.seed ?? seedOf(plan.prompt), this.#fileNames.length)
    const overlay = watermark && (await drawOverlay(plan, watermark))
    let end: OrderEnd = { how: 'done' }
    for (let index = this.#made; index < this.#fileNames.length && end.how === 'done'; index++) {
      const [seed = 0, name = ''] = [this.#seeds[index], this.#fileNames[index]]
      const path = await this.#tools.scratch.newFile(name)
      // The pool takes the pixels over, and the next variation needs them again.
      const ofThisOne = index + 1 < this.#fileNames.length ? images.map(copyOf) : images
      const order = {
        plan: { ...plan, frames, seed, images: ofThisOne, overlay, ...(video && { given: video }) },
        object,
        isReversed,
        hasSound,
        path,
        ...(opening && { opening }),
        ...(sound && { givenSound: sound }),
      }
      end = await pool.carryOut(order, this.#stopping.signal, (percent) => this.#advance(percent))
      if (end.how === 'done') this.#made = index + 1
    }
    return end
  }

  /** `percent` of the variation that is being rendered. */
  #advance(percent: number): void {
    const before = this.#outcome.state === 'running' ? (this.#outcome.progress ?? 0) : 0
    const progress = Math.floor((100 * this.#made + percent) / this.#fileNames.length)
    this.#outcome = { state: 'running', progress }
    if (Math.floor(progress / percentStep) > Math.floor(before / percentStep)) this.#tools.onChanged(this.#request.attemptId)
  }

  #outcomeOf(end: OrderEnd): PollOutcome {
    if (end.how === 'done') {
      const contentType = this.#planned.object === 'image' ? 'image/png' : 'video/mp4'
      const [first, ...others] = this.#fileNames.map((location, index) => {
        const seed = this.#seeds[index]
        return { contentType, location, ...(seed !== undefined && { seed }) }
      })
      if (first !== undefined) return { state: 'succeeded', outputs: [first, ...others] }
    }
    if (end.how === 'failed') {
      this.#tools.onError(this.#request.attemptId, end.error)
      return { state: 'failed', code: 'upstream_failed', reason: 'The rendering failed.', retryable: true }
    }
    return { state: 'failed', code: 'cancelled', reason: 'The rendering was cancelled.', retryable: false }
  }

  #outcomeOfError(error: unknown): PollOutcome {
    if (this.#stopping.signal.aborted) return this.#outcomeOf({ how: 'stopped' })
    if (error instanceof DriverRefusal) return { state: 'failed', code: error.code, reason: error.message, retryable: false }
    if (isImageRefusal(error)) {
      const retryable = 'isPassing' in error && error.isPassing === true
      return { state: 'failed', code: 'invalid_input', reason: error.message, retryable }
    }
    return this.#outcomeOf({ how: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

const seedsEnd = 2 ** 32

/** One seed for each variation, upwards from the first. */
function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (first + index) % seedsEnd)
}

function copyOf(image: PlanImage): PlanImage {
  return { ...image, rgba: image.rgba.slice() }
}

function isImageRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ImageRefusal'
}

/** Loads the library that draws only for renders with a watermark. */
async function drawOverlay(size: PixelSize, design: WatermarkDesign): Promise<PlanOverlay> {
  const { watermarkPixels } = await import('../../watermark/watermark-pixels.ts')
  return watermarkPixels(size, design)
}

/** Rejects on abort, so that the caller never waits for an image that is still being read. */
function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
