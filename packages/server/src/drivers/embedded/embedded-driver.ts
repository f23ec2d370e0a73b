import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { DriverRefusal, type Driver, type DriverOutput, type Job, type OperationChanged } from '../driver.ts'
import { RenderPool } from './pool/render-pool.ts'
import type { EncoderName } from './pool/render-order.ts'
import { Turns } from '../../lib/turns.ts'
import { requireEncoder } from './film/require-encoder.ts'
import { planRender } from './plan-render.ts'
import { Render, type ReadPicture, type RenderTools } from './render.ts'
import { openScratchFolder } from './scratch-folder.ts'

export interface EmbeddedDriverOptions {
  dataDir: string
  readPicture: ReadPicture
  /** Called when a render has ended, and now and then while it advances. */
  onChanged: OperationChanged
  /** Renders at the same time; null or left out: half the cores, for each render uses about two. */
  slots?: number | null
  encoder?: EncoderName
  /** What went wrong inside, for the operator; the client is told only that it failed. */
  onFault?: (attemptId: string, fault: string) => void
  /** The thread that renders; another one only in tests. */
  workerUrl?: URL
}

export interface EmbeddedDriver extends Driver {
  readonly slots: number
  /** Throws a `StartupError` when the chosen encoder cannot be used on this machine. */
  checkEncoder(): Promise<void>
}

/** Renders that wait or run, each with its parameters in memory. Beyond it they are taken up at a later poll. */
const openMax = 1000
/** Ended renders that nobody has collected or forgotten; the oldest are dropped first. */
const endedMax = 1000
/** Renders for which pictures are read or held while others occupy the slots. */
const picturesAheadPerSlot = 2

/**
 * Renders on this machine. An operation only names the render: whatever a process does not know (after a restart, or when
 * too much was waiting) it renders anew from the job, for the same job always gives the same result and costs nothing.
 */
export function createEmbeddedDriver(options: EmbeddedDriverOptions): EmbeddedDriver {
  const { dataDir, readPicture, onChanged, encoder = 'webcodecs', onFault = () => {}, workerUrl } = options
  const slots = options.slots ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const scratch = openScratchFolder(path.join(dataDir, 'scratch', 'renders'))
  const pool = new RenderPool({ slots, encoder, ...(workerUrl && { workerUrl }) })
  const pictureTurns = new Turns(slots * picturesAheadPerSlot)
  const tools: RenderTools = { pool, scratch, readPicture, pictureTurns, onChanged, onFault }
  const renders = new Map<string, Render>()

  function admit(job: Job): Render | undefined {
    const known = renders.get(job.attemptId)
    if (known !== undefined) return known
    let open = 0
    for (const render of renders.values()) if (!render.hasEnded) open++
    if (open >= openMax) return undefined
    dropOldestEnded()
    const render = new Render(job, planRender(job), tools)
    renders.set(job.attemptId, render)
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
    startsAgainFreely: true,
    slots,
    async start(job, { signal }) {
      signal.throwIfAborted()
      admit(job)
      return { render: job.attemptId }
    },
    async poll(_operation, job) {
      try {
        return admit(job)?.outcome ?? { state: 'queued' }
      } catch (error) {
        if (!(error instanceof DriverRefusal)) throw error
        return { state: 'failed', code: error.code, reason: error.message, retryable: false }
      }
    },
    fetchOutput: async (output, signal) => createReadStream(outputFile(output), { signal }),
    outputFile,
    cancel: (_operation, job) => drop(job.attemptId),
    forget: (_operation, job) => drop(job.attemptId),
    checkEncoder: () => requireEncoder(encoder),
    async [Symbol.asyncDispose]() {
      await Promise.all([...renders.keys()].map(drop))
      await pool.close()
      await scratch.remove()
    },
  }
}
