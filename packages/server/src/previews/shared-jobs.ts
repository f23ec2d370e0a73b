import { orAborted } from '../lib/or-aborted.ts'

interface Job<Result> {
  readonly result: Promise<Result>
  readonly stopController: AbortController
  waiterCount: number
  /** Whether the job continues if no caller waits for it. */
  isDetached: boolean
}

/**
 * Running jobs by name. All callers that need the same result share a job. The job stops when the
 * last caller stops waiting, unless `run` was called for it.
 */
export class SharedJobs<Result> {
  readonly #jobs = new Map<string, Job<Result>>()

  get size(): number {
    return this.#jobs.size
  }

  has(name: string): boolean {
    return this.#jobs.has(name)
  }

  /**
   * Waits for the job with this name, and starts it if necessary. Throws the signal's reason if the
   * signal aborts.
   */
  async join(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const job = this.#jobs.get(name) ?? this.#start(name, work)
    job.waiterCount += 1
    try {
      return await orAborted(job.result, signal)
    } finally {
      job.waiterCount -= 1
      if (job.waiterCount === 0 && !job.isDetached) this.#stop(name, job)
    }
  }

  /** Runs a job to its end, even if no caller waits for it. */
  async run(name: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const job = this.#jobs.get(name) ?? this.#start(name, work)
    job.isDetached = true
    return await job.result
  }

  async close(): Promise<void> {
    const jobs = [...this.#jobs.values()]
    for (const { stopController } of jobs) stopController.abort(new Error('the service is shutting down'))
    await Promise.allSettled(jobs.map(({ result }) => result))
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<Result>): Job<Result> {
    const stopController = new AbortController()
    const job: Job<Result> = {
      result: work(stopController.signal),
      stopController,
      waiterCount: 0,
      isDetached: false,
    }
    this.#jobs.set(name, job)
    const end = (): void => this.#forgetJob(name, job)
    job.result.then(end, end)
    return job
  }

  /** Stops a job. The next caller that needs the result starts a new job. */
  #stop(name: string, job: Job<Result>): void {
    this.#forgetJob(name, job)
    job.stopController.abort(new Error('no client waits for the job any more'))
  }

  #forgetJob(name: string, job: Job<Result>): void {
    if (this.#jobs.get(name) === job) this.#jobs.delete(name)
  }
}
