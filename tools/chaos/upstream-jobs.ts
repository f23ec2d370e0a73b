import { createHash } from 'node:crypto'
import type { Random } from './random.ts'

/** A job that an upstream has accepted and bills. */
export interface UpstreamJob {
  id: string
  /** Idempotency key of its submit; null if the upstream does not support keys. */
  key: string | null
  model: string
  prompt: string
  state: 'running' | 'succeeded' | 'failed' | 'cancelled'
  acceptedAtMs: number
  /** Time at which the job stops running. A cancel sets it to the time of the cancel. */
  endsAtMs: number
  /** Outcome of the job unless it is cancelled. */
  plannedOutcome: 'succeeded' | 'failed'
}

const failingShare = 0.03
const durationMsMax = 4_000

/**
 * All jobs of one upstream. The upstream bills each, even if the response to its submit was lost.
 */
export class UpstreamJobs {
  readonly #jobs = new Map<string, UpstreamJob>()
  readonly #byKey = new Map<string, UpstreamJob>()
  #running: UpstreamJob[] = []
  readonly #random: Random
  readonly #video: Buffer
  readonly #prefix: string

  constructor(prefix: string, video: Buffer, random: Random) {
    this.#prefix = prefix
    this.#video = video
    this.#random = random
  }

  /** Accepts a job and returns it. If the idempotency key is known, returns its existing job. */
  accept(prompt: string, key: string | null, model = ''): UpstreamJob {
    const existingJob = key === null ? undefined : this.#byKey.get(key)
    if (existingJob !== undefined) return existingJob
    const acceptedAtMs = Date.now()
    const job: UpstreamJob = {
      id: `${this.#prefix}${String(this.#jobs.size + 1).padStart(28, '0')}`,
      key,
      model,
      prompt,
      state: 'running',
      acceptedAtMs,
      endsAtMs: acceptedAtMs + this.#random.between(0, durationMsMax),
      plannedOutcome: this.#random.next() < failingShare ? 'failed' : 'succeeded',
    }
    this.#jobs.set(job.id, job)
    this.#running.push(job)
    if (key !== null) this.#byKey.set(key, job)
    return job
  }

  hasKey(key: string): boolean {
    return this.#byKey.has(key)
  }

  /**
   * Returns the newest job that was in flight at the last call of `inFlight`, or was accepted
   * since.
   */
  newestJob(): UpstreamJob | null {
    return this.#running.at(-1) ?? null
  }

  /** Current numbers of jobs in flight: at the upstream, and for one model. */
  inFlight(model: string): { upstream: number; model: number } {
    this.#running = this.#running.filter(({ id }) => this.find(id)?.state === 'running')
    return { upstream: this.#running.length, model: this.#running.filter((job) => job.model === model).length }
  }

  find(id: string): UpstreamJob | undefined {
    const job = this.#jobs.get(id)
    if (job?.state === 'running' && Date.now() >= job.endsAtMs) job.state = job.plannedOutcome
    return job
  }

  cancel(id: string): UpstreamJob | undefined {
    const job = this.find(id)
    if (job?.state === 'running') Object.assign(job, { state: 'cancelled', endsAtMs: Date.now() })
    return job
  }

  /** All jobs in their current state. */
  list(): UpstreamJob[] {
    return [...this.#jobs.keys()].map((id) => this.find(id)).filter((job) => job !== undefined)
  }

  /**
   * Returns a video that is unique to the job: the job id is appended in an MP4 box that players
   * ignore.
   */
  videoOf({ id }: Pick<UpstreamJob, 'id'>): Buffer {
    const box = Buffer.concat([Buffer.alloc(4), Buffer.from('free'), Buffer.from(id)])
    box.writeUInt32BE(box.length)
    return Buffer.concat([this.#video, box])
  }

  sha256Of(id: string): string {
    return createHash('sha256').update(this.videoOf({ id })).digest('hex')
  }
}
