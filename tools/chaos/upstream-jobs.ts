import { createHash } from 'node:crypto'
import type { Random } from './random.ts'

/** A job that an upstream has accepted. */
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

/** All jobs of one upstream, including those whose response to the submit was lost. */
export class UpstreamJobs {
  readonly #jobs = new Map<string, UpstreamJob>()
  readonly #byKey = new Map<string, UpstreamJob>()
  /** Jobs that were running at the last call of `inFlight`, and all newer ones. */
  #maybeRunning: UpstreamJob[] = []
  /** The job that was created last. Null before the first job. */
  lastCreatedJob: UpstreamJob | null = null
  readonly #random: Random
  readonly #video: Buffer
  readonly #idPrefix: string

  constructor(idPrefix: string, video: Buffer, random: Random) {
    this.#idPrefix = idPrefix
    this.#video = video
    this.#random = random
  }

  /** Accepts a job and returns it. If the idempotency key is known, returns its existing job. */
  accept(prompt: string, key: string | null, model = ''): UpstreamJob {
    const existingJob = key === null ? undefined : this.#byKey.get(key)
    if (existingJob !== undefined) return existingJob
    const acceptedAtMs = Date.now()
    const job: UpstreamJob = {
      id: `${this.#idPrefix}${String(this.#jobs.size + 1).padStart(28, '0')}`,
      key,
      model,
      prompt,
      state: 'running',
      acceptedAtMs,
      endsAtMs: acceptedAtMs + this.#random.between(0, durationMsMax),
      plannedOutcome: this.#random.next() < failingShare ? 'failed' : 'succeeded',
    }
    this.#jobs.set(job.id, job)
    this.#maybeRunning.push(job)
    this.lastCreatedJob = job
    if (key !== null) this.#byKey.set(key, job)
    return job
  }

  hasKey(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** Current numbers of jobs in flight: at the upstream, and for one model. */
  inFlight(model: string): { ofUpstream: number; ofModel: number } {
    this.#maybeRunning = this.#maybeRunning.filter(({ id }) => this.find(id)?.state === 'running')
    return { ofUpstream: this.#maybeRunning.length, ofModel: this.#maybeRunning.filter((job) => job.model === model).length }
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

  videoSha256Of(id: string): string {
    return createHash('sha256').update(this.videoOf({ id })).digest('hex')
  }
}
