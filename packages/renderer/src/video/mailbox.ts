import type { Worker } from 'node:worker_threads'

/**
 * A queue of one worker's messages. If the worker fails or exits, `next` first returns the messages
 * that arrived before, and then rejects. If the signal aborts, `next` rejects at once.
 */
export class Mailbox<Message> {
  readonly #worker: Worker
  readonly #messages: Message[] = []
  #error: Error | undefined
  #wake: () => void = () => {}

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', this.#receive).on('error', this.#break).on('exit', this.#exit)
  }

  async next(signal: AbortSignal): Promise<Message> {
    const wakeUp = () => this.#wake()
    signal.addEventListener('abort', wakeUp)
    try {
      for (;;) {
        signal.throwIfAborted()
        const message = this.#messages.shift()
        if (message !== undefined) return message
        if (this.#error !== undefined) throw this.#error
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', wakeUp)
    }
  }

  close(): void {
    this.#worker.off('message', this.#receive).off('error', this.#break).off('exit', this.#exit)
  }

  readonly #receive = (message: Message): void => {
    this.#messages.push(message)
    this.#wake()
  }

  readonly #break = (error: unknown): void => {
    this.#error = new Error('the worker failed', { cause: error })
    this.#wake()
  }

  readonly #exit = (code: number): void => {
    this.#error ??= new Error(`the worker ended with code ${code}`)
    this.#wake()
  }
}
