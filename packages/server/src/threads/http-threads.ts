import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { RoutingFile } from '../config/routing-file.ts'
import type { OtherThreads } from '../http/http-dependencies.ts'
import type { HttpThreadData, HttpThreadMethods, MainMethods } from './http-thread-methods.ts'
import { CallChannel } from './call-channel.ts'
import { packRoutingFile } from './packed-config.ts'

/**
 * Maximum time for which an operator's request waits until a busy thread has applied its change.
 */
const applyMsMax = 2_000

export interface HttpThreadsOptions {
  /** Number of threads in addition to the main thread. */
  count: number
  data: HttpThreadData
  methods: MainMethods
  /** Called when a thread has ended although the main thread has not stopped it. */
  onFatal: (cause: Error) => void
}

interface HttpThread {
  worker: Worker
  channel: CallChannel<HttpThreadMethods>
}

/** The HTTP threads. The main thread uses this class to control them. */
export class HttpThreads implements OtherThreads, AsyncDisposable {
  readonly #threads: readonly HttpThread[]
  #isClosing = false

  private constructor({ count, data, methods, onFatal }: HttpThreadsOptions) {
    this.#threads = Array.from({ length: count }, () => {
      const worker = new Worker(new URL('./http-thread.ts', import.meta.url), { name: 'http', workerData: data })
      const channel = new CallChannel<HttpThreadMethods>(worker, { ...methods })
      const onEnd = (cause: Error): void => {
        channel.end(cause)
        if (!this.#isClosing) onFatal(cause)
      }
      worker.on('error', onEnd)
      worker.on('exit', () => onEnd(new Error('a thread that serves HTTP has stopped')))
      return { worker, channel }
    })
  }

  /** Starts the threads, and resolves when all of them listen. */
  static async start(options: HttpThreadsOptions): Promise<HttpThreads> {
    const threads = new HttpThreads(options)
    try {
      await threads.#callEach((thread) => thread.listen())
      return threads
    } catch (error) {
      await threads[Symbol.asyncDispose]()
      throw error
    }
  }

  async applyConfigChanges(): Promise<void> {
    // A thread whose call fails applies the change at its next poll.
    const applying = this.#callEach((thread) => thread.applyConfigChanges()).catch(() => undefined)
    await Promise.race([applying, sleep(applyMsMax, undefined, { ref: false })])
  }

  async useFile(file: RoutingFile): Promise<void> {
    const packedFile = packRoutingFile(file)
    await this.#callEach((thread) => thread.useFile(packedFile))
  }

  /** Returns the metrics of this registry, combined with the metrics of all HTTP threads. */
  async metricsWith(registry: Registry): Promise<string> {
    const metricsOfThreads = await this.#callEach((thread) => thread.metrics())
    const metricsOfProcess = await registry.getMetricsAsJSON()
    // The library omits metrics that it cannot combine. These exist only in the main thread, so
    // their values need no combination.
    for (const metric of metricsOfProcess) if (metric.aggregator === 'omit') metric.aggregator = 'first'
    return AggregatorRegistry.aggregate([metricsOfProcess, ...metricsOfThreads]).metrics()
  }

  async drain(connectionGraceMs: number): Promise<void> {
    this.#isClosing = true
    await this.#tryEach((thread) => thread.drain(connectionGraceMs))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#tryEach((thread) => thread.close())
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #callEach<Result>(call: (thread: HttpThreadMethods) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.#threads.map(({ channel }) => call(channel.remote)))
  }

  /** Waits for all threads, even if one of them has failed. */
  async #tryEach(call: (thread: HttpThreadMethods) => Promise<void>): Promise<void> {
    await this.#callEach((thread) => call(thread).catch(() => undefined))
  }
}
