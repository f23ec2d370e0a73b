import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openLoad, type Load } from '../http/load.ts'
import { BenchProcess } from '../http/bench-process.ts'
import type { UpstreamOptions } from './measured-upstream.ts'

/**
 * The folder and the processes of a run. The files of all processes are in this folder. Disposing
 * ends the processes and removes the folder.
 */
export class Rig implements AsyncDisposable {
  readonly #folder: string
  readonly #resources = new AsyncDisposableStack()
  readonly #trials = new Set<AsyncDisposableStack>()
  #load: Load | undefined

  constructor() {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'framegate-peers-'))
    // A database runs as its own user, which must be able to enter the folder.
    chmodSync(this.#folder, 0o755)
    process.env['TMPDIR'] = this.#folder
  }

  newFolder(): string {
    return mkdtempSync(path.join(this.#folder, 'side-'))
  }

  /** Disposes of a resource at the end of the run. */
  defer(dispose: () => Promise<void>): void {
    this.#resources.defer(dispose)
  }

  /**
   * Returns an empty stack for the resources of one measurement. If the caller has not disposed of
   * the stack, the rig does at its end.
   */
  openTrial(): AsyncDisposableStack {
    const trial = new AsyncDisposableStack()
    this.#trials.add(trial)
    trial.defer(async () => {
      this.#trials.delete(trial)
    })
    return trial
  }

  async load(...plan: Parameters<Load>): ReturnType<Load> {
    this.#load ??= this.#resources.use(await openLoad(true)).load
    return this.#load(...plan)
  }

  startUpstream(options: UpstreamOptions = {}): Promise<BenchProcess> {
    return BenchProcess.start('../peers/measured-upstream.ts', options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#trials].map((trial) => trial.disposeAsync()))
    await this.#resources.disposeAsync()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
