import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { DriverRefusal, type Driver, type DriverOutput, type GenerationRequest, type OperationChanged } from '../driver.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal } from '../upstream/upstream-driver.ts'
import type { OpenSound, OpenVideo } from './opened-video.ts'
import { planRender, type PlannedRender } from './plan-render.ts'
import { Render, type LoadedRenderer, type ReadImage, type RenderTools } from './render.ts'
import { openScratchFolder } from './scratch-folder.ts'

export interface EmbeddedDriverOptions {
  dataDir: string
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
  /** Whether the frames of videos can be decoded. */
  hasVideoDecoder: () => boolean
  /** Called when a render ends, and at intervals while it advances. */
  onChanged: OperationChanged
  /** Concurrent renders. Null or left out: half the cores, because each render uses about two. */
  slots?: number | null
  /** Receives internal errors, for the operator. The client only learns that the render failed. */
  onError?: (attemptId: string, error: string) => void
}

export interface EmbeddedDriver extends Driver {
  readonly slots: number
  /** Refuses videos where they cannot be decoded. */
  refuse: (parameters: GenerationParameters) => ParameterRefusal | null
}

/**
 * Limit of waiting and running renders, each with its parameters in memory. Above it, a later poll
 * admits the render.
 */
const openMax = 1000
/**
 * Limit of ended renders that were neither collected nor forgotten. The oldest are dropped first.
 */
const endedMax = 1000
/**
 * Renders per slot that may hold images at a time: reading them, waiting for a slot, or running.
 */
const imagesAheadPerSlot = 2

/**
 * The adapter of `@framegate/renderer`, which is loaded at the first render: a service whose models
 * are all routed to providers never loads it.
 *
 * Renders on this machine. An operation only names the render. A process that does not know the
 * render (after a restart, or because too many were open) renders it again from the request: the same
 * request always gives the same result, and rendering it again costs nothing.
 */
export function createEmbeddedDriver(options: EmbeddedDriverOptions): EmbeddedDriver {
  const { dataDir, readImage, openVideo, openSound, hasVideoDecoder, onChanged, onError = () => {} } = options
  const slots = options.slots ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const scratch = openScratchFolder(path.join(dataDir, 'scratch', 'renders'))
  const imageSemaphore = new Semaphore(slots * imagesAheadPerSlot)
  let renderer: Promise<LoadedRenderer> | undefined
  const loadRenderer = (): Promise<LoadedRenderer> => (renderer ??= openRenderer(slots))
  const tools: RenderTools = { loadRenderer, scratch, readImage, openVideo, openSound, imageSemaphore, onChanged, onError }
  const renders = new Map<string, Render>()

  function admit(request: GenerationRequest): Render | undefined {
    const known = renders.get(request.attemptId)
    if (known !== undefined) return known
    let open = 0
    for (const render of renders.values()) if (!render.hasEnded) open++
    if (open >= openMax) return undefined
    const planned = planRender(request)
    if (needsDecoder(planned) && !hasVideoDecoder())
      throw new DriverRefusal('upstream_failed', `The given files cannot be used: ${noDecoder}.`)
    dropOldestEnded()
    const render = new Render(request, planned, tools)
    renders.set(request.attemptId, render)
    return render
  }

  function dropOldestEnded(): void {
    const ended = [...renders].filter(([, render]) => render.hasEnded)
    for (const [attemptId] of ended.slice(0, Math.max(0, ended.length - endedMax))) void drop(attemptId)
  }

  async function drop(attemptId: string): Promise<void> {
    const render = renders.get(attemptId)
    renders.delete(attemptId)
    await render?.end()
  }

  function outputFile({ location }: DriverOutput): string {
    if (typeof location !== 'string') throw new Error('an output of the embedded driver names its file')
    return scratch.pathOf(location)
  }

  return {
    name: 'embedded',
    isStartIdempotent: true,
    slots,
    refuse({ input_video, input_audio, reference_videos = [] }) {
      if (hasVideoDecoder()) return null
      const given = { input_video, input_audio, reference_videos: reference_videos[0] }
      const parameter = (Object.keys(given) as (keyof typeof given)[]).find((name) => given[name] !== undefined)
      return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used here: ${noDecoder}` }
    },
    async start(request, { signal }) {
      signal.throwIfAborted()
      admit(request)
      return { render: request.attemptId }
    },
    async poll(_operation, request) {
      try {
        return admit(request)?.outcome ?? { state: 'queued' }
      } catch (error) {
        if (!(error instanceof DriverRefusal)) throw error
        return { state: 'failed', code: error.code, reason: error.message, retryable: false }
      }
    },
    fetchOutput: async (output, signal) => createReadStream(outputFile(output), { signal }),
    outputFile,
    cancel: (_operation, request) => drop(request.attemptId),
    forget: (_operation, request) => drop(request.attemptId),
    async [Symbol.asyncDispose]() {
      await Promise.all([...renders.keys()].map(drop))
      await renderer?.then(
        ({ pool }) => pool.close(),
        () => {},
      )
      await scratch.remove()
    },
  }
}

function needsDecoder({ wanted, video, sound }: PlannedRender): boolean {
  return video !== null || sound !== null || wanted.some((one) => !('fit' in one))
}

const noDecoder = 'the service has no ffmpeg to decode videos and sound; send images, or ask the operator to install ffmpeg'

async function openRenderer(slots: number): Promise<LoadedRenderer> {
  const { RenderPool, hashText } = await import('@framegate/renderer')
  return { pool: new RenderPool({ slots }), seedOf: hashText }
}
