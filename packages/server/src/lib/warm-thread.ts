import { once } from 'node:events'
import { Worker, type Transferable } from 'node:worker_threads'
import type { PoolMember } from './warm-pool.ts'

/** A worker thread that handles one request at a time. It does not keep the process alive. */
export class WarmThread<Request, Response> implements PoolMember {
  readonly #worker: Worker
  #hasEnded = false

  constructor(program: URL) {
    this.#worker = new Worker(program)
    this.#worker.unref()
    for (const event of ['error', 'exit']) this.#worker.on(event, () => (this.#hasEnded = true))
  }

  get isDead(): boolean {
    return this.#hasEnded
  }

  /** Sends a request and waits for the response. Rejects if the thread ends without a response. */
  async call(request: Request, transfer: Transferable[] = []): Promise<Response> {
    // Called before the listeners are added, because it throws if the request cannot be cloned. The
    // listeners do not miss the response, because it arrives in a later tick.
    this.#worker.postMessage(request, transfer)
    const responseController = new AbortController()
    const { signal } = responseController
    const exited = once(this.#worker, 'exit', { signal }).then(() =>
      Promise.reject(new Error('a thread has ended before its response')),
    )
    try {
      const [response] = (await Promise.race([once(this.#worker, 'message', { signal }), exited])) as [Response]
      return response
    } finally {
      responseController.abort()
    }
  }

  async close(): Promise<void> {
    this.#hasEnded = true
    await this.#worker.terminate()
  }
}
