import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  DriverRefusal,
  type Driver,
  type DriverOutput,
  type GenerationRequest,
  type LocalFile,
  type OperationChanged,
} from '../driver.ts'
import { loadOnce } from '../../lib/load-once.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal } from '../upstream/upstream-driver.ts'
import { textIn, writeText } from './embedded-texts.ts'
import type { OpenSound, OpenVideo } from './opened-video.ts'
import { planRender, type PlannedRender } from './plan-render.ts'
import { createRefuseInputs, noDecoderReason } from './refuse-inputs.ts'
import { Render, type LoadedRenderer, type ReadImage, type RenderDependencies } from './render.ts'
import { openScratchFolder } from './scratch-folder.ts'

export interface EmbeddedDriverDependencies {
  dataDir: string
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
  /** Whether this machine can decode video and audio. */
  hasVideoDecoder: () => boolean
  /** Called for every ten percent of progress of a render, and when the render ends. */
  onChanged: OperationChanged
  /**
   * Maximum number of concurrent renders. Null or undefined: half the number of cores, but at least
   * one, because each render uses about two cores.
   */
  slots?: number | null
  /** Receives internal errors, for the operator. The client only sees that the render failed. */
  onError?: (attemptId: string, error: string) => void
}

export interface EmbeddedDriver extends Driver {
  readonly slots: number
  /** Refuses videos and audio files if this machine cannot decode them. */
  refuse: (parameters: GenerationParameters) => ParameterRefusal | null
}

/**
 * Maximum number of waiting and running renders, whose parameters are all in memory. If there are
 * this many, a further operation waits, and a later poll creates its render.
 */
const openRendersMax = 1000
/**
 * Maximum number of ended renders whose results are not collected yet. If there are more, the
 * oldest are removed.
 */
const endedRendersMax = 1000
/**
 * Maximum number of renders per slot that may have decoded images in memory. Such a render reads
 * images, waits for a slot, or runs.
 */
const rendersWithImagesPerSlot = 2

/**
 * Creates the driver that renders with `@framegate/renderer`. The renderer is loaded on first use,
 * so a service that routes all models to providers never loads it.
 *
 * An operation only names a render in this process. If the process does not know the render,
 * because it restarted, had too many open renders or removed the ended render, the next poll starts
 * the render from the request. This is safe, because the same request always has the same result,
 * and a second render costs nothing.
 */
export function createEmbeddedDriver(dependencies: EmbeddedDriverDependencies): EmbeddedDriver {
  const { dataDir, readImage, openVideo, openSound, hasVideoDecoder, onChanged, onError = () => {} } = dependencies
  const slots = dependencies.slots ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const scratch = openScratchFolder(path.join(dataDir, 'scratch', 'renders'))
  const imageSemaphore = new Semaphore(slots * rendersWithImagesPerSlot)
  const renderer = loadOnce(() => openRenderer(slots))
  const renderDependencies: RenderDependencies = {
    loadRenderer: renderer.load,
    scratch,
    readImage,
    openVideo,
    openSound,
    imageSemaphore,
    onChanged,
    onError,
  }
  const renders = new Map<string, Render>()

  function admit(request: GenerationRequest): Render | undefined {
    const existing = renders.get(request.attemptId)
    if (existing !== undefined) return existing
    let openCount = 0
    for (const render of renders.values()) if (!render.hasEnded) openCount++
    if (openCount >= openRendersMax) return undefined
    const plannedRender = planRender(request)
    if (needsDecoder(plannedRender) && !hasVideoDecoder())
      throw new DriverRefusal('upstream_failed', `The given files cannot be used: ${noDecoderReason}.`)
    dropOldestEnded()
    const render = new Render(request, plannedRender, renderDependencies)
    renders.set(request.attemptId, render)
    return render
  }

  function dropOldestEnded(): void {
    const endedRenders = [...renders].filter(([, render]) => render.hasEnded)
    for (const [attemptId] of endedRenders.slice(0, Math.max(0, endedRenders.length - endedRendersMax)))
      void dropRender(attemptId)
  }

  async function dropRender(attemptId: string): Promise<void> {
    const render = renders.get(attemptId)
    renders.delete(attemptId)
    await render?.end()
  }

  function outputFile(output: DriverOutput): LocalFile | undefined {
    if (textIn(output) !== undefined) return undefined
    if (typeof output.location !== 'string') throw new Error('an output of the embedded driver names no file')
    return { path: scratch.pathOf(output.location), isOwn: true }
  }

  return {
    name: 'embedded',
    isStartIdempotent: true,
    slots,
    refuse: createRefuseInputs(hasVideoDecoder),
    async start(request, { signal }) {
      signal.throwIfAborted()
      if (request.object !== 'text') admit(request)
      return { render: request.attemptId }
    },
    async poll(_operation, request) {
      if (request.object === 'text') return { state: 'succeeded', outputs: [await writeText(request)] }
      try {
        return admit(request)?.outcome ?? { state: 'queued' }
      } catch (error) {
        if (!(error instanceof DriverRefusal)) throw error
        return { state: 'failed', code: error.code, reason: error.message, retryable: false }
      }
    },
    fetchOutput: async (output, signal) => {
      const file = outputFile(output)
      return file === undefined ? Readable.from([textIn(output)]) : createReadStream(file.path, { signal })
    },
    outputFile,
    cancel: (_operation, request) => dropRender(request.attemptId),
    discard: (_operation, request) => dropRender(request.attemptId),
    async [Symbol.asyncDispose]() {
      await Promise.all([...renders.keys()].map(dropRender))
      await (await renderer.loaded())?.pool.close()
      await scratch.remove()
    },
  }
}

function needsDecoder({ requested, video, sound }: PlannedRender): boolean {
  return video !== null || sound !== null || requested.some((input) => !('fit' in input))
}

async function openRenderer(slots: number): Promise<LoadedRenderer> {
  const { RenderPool, hashText } = await import('@framegate/renderer')
  return { pool: new RenderPool({ slots }), seedOf: hashText }
}
