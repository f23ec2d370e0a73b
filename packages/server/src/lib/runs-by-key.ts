/** Runs of work by key. A run can wait for the earlier runs with its key. */
export class RunsByKey<Key> {
  readonly #runs = new Map<Key, Set<Promise<unknown>>>()

  /** Runs the work. If `waits`, it starts after all runs with the same key that began earlier. */
  async run<Result>(key: Key, waits: boolean, work: () => Promise<Result>): Promise<Result> {
    const runs = this.#runs.get(key) ?? new Set()
    const earlierRuns = waits ? Promise.allSettled(runs) : undefined
    const run = earlierRuns === undefined ? work() : earlierRuns.then(work)
    this.#runs.set(key, runs.add(run))
    try {
      return await run
    } finally {
      runs.delete(run)
      if (runs.size === 0) this.#runs.delete(key)
    }
  }
}
