import type { DriverOutput } from '../drivers/driver.ts'
import { UnusableResult, type CollectedResult } from './collect-result.ts'

/** Maximum size of all results of a task together. */
const resultsBytesMax = 4 * 1024 * 1024 * 1024

/**
 * Stores one output of at most `bytesMax` bytes in the media store. `position` counts from 0 among
 * the outputs of the job.
 */
export type CollectOutput = (output: DriverOutput, position: number, bytesMax: number) => Promise<CollectedResult>

/**
 * Collects the results of one job, one at a time, which limits the temporary files of a task.
 *
 *   usable file           is stored; fetched again only if the number of outputs of the job changes
 *   unusable file         does not stop the collection of the others; the caller tries it again
 *   storage error         stops the collection; stored files stay
 *
 * If the process ends, the process that resumes the attempt collects all files again, under the
 * same object keys.
 */
export class ResultCollection {
  readonly #resultsMax: number
  #stored = new Map<number, CollectedResult>()
  #outputCount: number | null = null
  #hasRestarted = false

  /** Outputs beyond `resultsMax` are not fetched. */
  constructor(resultsMax: number) {
    this.#resultsMax = resultsMax
  }

  /** The usable results collected so far, in the order of the outputs. */
  get results(): CollectedResult[] {
    return [...this.#stored].toSorted(([left], [right]) => left - right).map(([, result]) => result)
  }

  /**
   * Whether the collection was started again. The media store may then have files of this job that
   * are not among the results.
   */
  get hasRestarted(): boolean {
    return this.#hasRestarted
  }

  /**
   * Collects the outputs that are not stored yet. If some outputs are unusable, the method collects
   * the other outputs first and then rejects with one of the `UnusableResult` errors, preferably a
   * transient one. It rejects with any other error immediately.
   */
  async collect(outputs: readonly DriverOutput[], collectOutput: CollectOutput): Promise<void> {
    const keptOutputs = outputs.slice(0, this.#resultsMax)
    if (this.#outputCount !== null && keptOutputs.length !== this.#outputCount) this.#restart()
    this.#outputCount = keptOutputs.length
    let unusableResult: UnusableResult | undefined
    for (const [position, output] of keptOutputs.entries()) {
      if (this.#stored.has(position)) continue
      try {
        this.#stored.set(position, await collectOutput(output, position, resultsBytesMax - this.#storedBytes()))
      } catch (error) {
        if (!(error instanceof UnusableResult)) throw error
        if (unusableResult?.isTransient !== true) unusableResult = error
      }
    }
    if (unusableResult !== undefined) throw unusableResult
  }

  /**
   * Starts the collection again after the number of outputs has changed, because it is then unknown
   * which outputs are stored.
   */
  #restart(): void {
    this.#hasRestarted = true
    this.#stored = new Map()
  }

  #storedBytes(): number {
    return this.results.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
}
