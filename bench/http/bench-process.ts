import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Figures } from './process-figures.ts'

/**
 * A child process of a benchmark: a server that is measured, or a load generator. The child uses
 * `serve-calls.ts`.
 */
export class BenchProcess {
  readonly #child: ChildProcess
  /** Port of a server. 0 for a load generator. */
  port = 0

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Starts a process from a file whose path is relative to this folder. */
  static async start(file: string, options: object = {}): Promise<BenchProcess> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(options)], {
      // The launcher of the command line sets these two variables too (decisions 0006 and 0051).
      env: { MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '16', ...process.env, LOG_LEVEL: 'warn' },
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    })
    const benchProcess = new BenchProcess(child)
    benchProcess.port = await benchProcess.#reply<number>()
    return benchProcess
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async call<Result>(name: string, argument?: unknown): Promise<Result> {
    this.#child.send({ name, argument })
    return this.#reply<Result>()
  }

  /** Returns the figures of the process for the time in which `work` runs, and its result. */
  async measure<Result>(work: () => Promise<Result>): Promise<{ figures: Figures; result: Result }> {
    await this.call('begin')
    const result = await work()
    return { figures: await this.call<Figures>('end'), result }
  }

  /** Ends the process immediately, like a crash. */
  async kill(): Promise<void> {
    if (!this.#isRunning) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isRunning) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    await exited
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #reply<Result>(): Promise<Result> {
    const waiting = new AbortController()
    const end = once(this.#child, 'exit', waiting).then(() => Promise.reject(new Error('a benchmark process has ended')))
    end.catch(() => {})
    const message = once(this.#child, 'message') as Promise<[{ result: Result; error?: string }]>
    const [{ result, error }] = await Promise.race([message, end])
    waiting.abort()
    if (error !== undefined) throw new Error(error)
    return result
  }
}
