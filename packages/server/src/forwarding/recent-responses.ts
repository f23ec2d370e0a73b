import { Recording } from './recording.ts'

/** Identifies a request that a client may retry. */
export interface RetryableRequest {
  accountNo: number
  /** Digest of the path and the body. */
  digest: string
  /** Number of times that the client has retried the request; 0 for the first request. */
  retryCount: number
}

/** Time for which a recording is kept after its request. */
const retentionMs = 5 * 60_000
const sweepMs = 10_000
const totalBytesMax = 64 * 1024 * 1024
const recordingBytesMax = 1024 * 1024
const recordingsMax = 20_000

interface RecordedResponse {
  recording: Recording
  untilMs: number
}

/**
 * Recordings of responses that clients of this process may not have received. OpenAI's clients
 * retry a request after a lost connection, and mark the retry. The retry gets the response to the
 * first request, and only the first request is charged. A recording is removed once the client has
 * received the response.
 */
export class RecentResponses implements Disposable {
  readonly #recorded = new Map<string, RecordedResponse[]>()
  readonly #timer: NodeJS.Timeout
  #bytes = 0
  #count = 0

  constructor() {
    this.#timer = setInterval(() => this.#sweep(), sweepMs)
    this.#timer.unref()
  }

  /**
   * Claims the oldest recording of this request. Skips recordings that were made or claimed by a
   * request with the same or a higher retry count.
   */
  claim(request: RetryableRequest): Recording | undefined {
    if (request.retryCount === 0) return undefined
    const response = this.#recorded
      .get(keyOf(request))
      ?.find(({ recording }) => !recording.isDropped && recording.servedRetryCount < request.retryCount)
    if (response === undefined) return undefined
    response.recording.servedRetryCount = request.retryCount
    return response.recording
  }

  /** Starts a recording. Returns undefined if there are too many recordings. */
  record(request: RetryableRequest): Recording | undefined {
    if (this.#count >= recordingsMax) return undefined
    let ownBytes = 0
    const recording = new Recording({
      reserve: (bytes) => {
        if (ownBytes + bytes > recordingBytesMax || this.#bytes + bytes > totalBytesMax) return false
        ownBytes += bytes
        this.#bytes += bytes
        return true
      },
      onDropped: (bytes) => {
        this.#bytes -= bytes
        this.#remove(keyOf(request), recording)
      },
    })
    recording.servedRetryCount = request.retryCount
    const key = keyOf(request)
    this.#recorded.set(key, [...(this.#recorded.get(key) ?? []), { recording, untilMs: performance.now() + retentionMs }])
    this.#count += 1
    return recording
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #remove(key: string, recording: Recording): void {
    const recordings = this.#recorded.get(key) ?? []
    const remaining = recordings.filter((response) => response.recording !== recording)
    this.#count -= recordings.length - remaining.length
    if (remaining.length === 0) this.#recorded.delete(key)
    else this.#recorded.set(key, remaining)
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const recordings of this.#recorded.values()) {
      for (const { recording, untilMs } of recordings) if (untilMs <= nowMs) recording.drop()
    }
  }
}

function keyOf({ accountNo, digest }: RetryableRequest): string {
  return `${accountNo} ${digest}`
}
