import { orAborted } from '../lib/or-aborted.ts'

/** A recorded response, as a retry of the request receives it. */
export type RecordedResponse = { isStream: boolean; chunks: AsyncIterableIterator<Buffer> }

export interface RecordingOptions {
  /**
   * Called before bytes are stored. Returns false if there is not enough memory, which drops the
   * recording.
   */
  reserve: (bytes: number) => boolean
  /** Called once when the recording is dropped, with the number of stored bytes. */
  onDropped: (bytes: number) => void
}

/**
 * Stores the part of a response that has arrived, for a retry by a client that did not receive the
 * response.
 */
export class Recording {
  readonly #options: RecordingOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isStream: boolean | null = null
  #state: 'running' | 'ended' | 'dropped' = 'running'
  #failure: unknown
  #changed = Promise.withResolvers<void>()
  /** Retry count of the request that made this recording, or of the last retry that claimed it. */
  servedRetryCount = 0
  #replayReaderCount = 0

  constructor(options: RecordingOptions) {
    this.#options = options
  }

  /** Whether a retry of the request waits for the response or receives it. */
  get hasReplayReader(): boolean {
    return this.#replayReaderCount > 0
  }

  get isDropped(): boolean {
    return this.#state === 'dropped'
  }

  begin(isStream: boolean): void {
    this.#isStream = isStream
    this.#notify()
  }

  add(chunk: Buffer): void {
    if (this.#state !== 'running') return
    if (!this.#options.reserve(chunk.byteLength)) return this.drop()
    this.#bytes += chunk.byteLength
    this.#chunks.push(chunk)
    this.#notify()
  }

  end(): void {
    if (this.#state === 'running') this.#state = 'ended'
    this.#notify()
  }

  /**
   * Drops the recording of a request that got no response. `readRecorded` rejects with this error.
   */
  fail(cause: unknown): void {
    this.#failure = cause
    this.drop()
  }

  drop(): void {
    if (this.#state === 'dropped') return
    this.#state = 'dropped'
    this.#options.onDropped(this.#bytes)
    this.#chunks = []
    this.#notify()
  }

  /**
   * Waits for the start of the response. Returns undefined if the recording was dropped. Rejects
   * with the error of the recorded request.
   */
  async readRecorded(signal: AbortSignal): Promise<RecordedResponse | undefined> {
    signal.throwIfAborted()
    this.#replayReaderCount += 1
    signal.addEventListener('abort', () => (this.#replayReaderCount -= 1), { once: true })
    while (this.#isStream === null && this.#state === 'running') await orAborted(this.#changed.promise, signal)
    if (this.#failure !== undefined) throw this.#failure
    if (this.#state === 'dropped' || this.#isStream === null) return undefined
    return { isStream: this.#isStream, chunks: this.#chunksFrom(signal) }
  }

  async *#chunksFrom(signal: AbortSignal): AsyncGenerator<Buffer, void> {
    for (let index = 0; ;) {
      const chunk = this.#chunks[index]
      if (chunk !== undefined) {
        index += 1
        yield chunk
      } else if (this.#state === 'running') await orAborted(this.#changed.promise, signal)
      else if (this.#state === 'ended') return
      else throw new Error('the recording of the response was dropped')
    }
  }

  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}
