/** What a follower of a recording gets. */
export type Recorded = { isStream: boolean; chunks: AsyncIterableIterator<Buffer> }

export interface RecordingOptions {
  /** Called before the bytes are kept. False: there is no memory for them, and the recording ends. */
  reserve: (bytes: number) => boolean
  /** Called once with the bytes that are no longer kept. */
  free: (bytes: number) => void
}

/**
 * The response to a request, as far as it has come, for a client that repeats the request because it
 * did not receive the response.
 */
export class Recording {
  readonly #options: RecordingOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isStream: boolean | null = null
  #state: 'running' | 'ended' | 'dropped' = 'running'
  #failure: unknown
  #changed = Promise.withResolvers<void>()
  /** Number of the repetition that has taken it; 0: none. */
  takenBy = 0
  #followers = 0

  constructor(options: RecordingOptions) {
    this.#options = options
  }

  /** Whether a client waits for it. */
  get isFollowed(): boolean {
    return this.#followers > 0
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

  /** The request got an error instead of a response. */
  fail(cause: unknown): void {
    this.#failure = cause
    this.drop()
  }

  drop(): void {
    if (this.#state === 'dropped') return
    this.#state = 'dropped'
    this.#options.free(this.#bytes)
    this.#chunks = []
    this.#notify()
  }

  /** Undefined if there is no longer a response to follow. Rejects with the error of the request. */
  async follow(signal: AbortSignal): Promise<Recorded | undefined> {
    this.#followers += 1
    signal.addEventListener('abort', () => (this.#followers -= 1), { once: true })
    while (this.#isStream === null && this.#state === 'running') await this.#nextChange(signal)
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
      } else if (this.#state === 'running') await this.#nextChange(signal)
      else if (this.#state === 'ended') return
      else throw new Error('the response is no longer kept')
    }
  }

  async #nextChange(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    await Promise.race([this.#changed.promise, promise])
    signal.throwIfAborted()
  }

  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}
