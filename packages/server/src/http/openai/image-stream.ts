import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { toAppError } from '../responses/to-app-error.ts'
import type { ImageData } from './images-of-tasks.ts'

/** Interval of comments that prevent proxies from closing a silent connection. */
const heartbeatMs = 15_000
const heartbeat = ': the images are being generated\n\n'

/** The event stream of an image request, in the format of OpenAI's API. */
export class ImageStream {
  readonly #stream = new PassThrough()
  readonly #event: string
  readonly #heartbeat: NodeJS.Timeout

  /** `event` is `image_generation` or `image_edit`. */
  constructor(event: string) {
    this.#event = event
    this.#heartbeat = setInterval(() => this.#stream.write(heartbeat), heartbeatMs)
    this.#stream.on('close', () => clearInterval(this.#heartbeat))
    this.#stream.write(heartbeat)
  }

  get readable(): Readable {
    return this.#stream
  }

  async sendCompleted(image: ImageData & Record<string, unknown>): Promise<void> {
    await this.#send(`${this.#event}.completed`, { type: `${this.#event}.completed`, ...image })
  }

  sendFailed(cause: unknown): void {
    const { code, message, param } = toAppError(cause)
    void this.#send('error', { error: { type: 'server_error', code, message, param } })
  }

  end(): void {
    this.#stream.end()
  }

  async #send(event: string, data: object): Promise<void> {
    if (this.#stream.destroyed) return
    if (!this.#stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) {
      await Promise.race([once(this.#stream, 'drain'), once(this.#stream, 'close')])
    }
  }
}
