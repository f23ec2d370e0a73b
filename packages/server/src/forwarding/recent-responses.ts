import { Recording } from './recording.ts'

/** Identifies a request that a client may repeat. */
export interface RepeatableRequest {
  accountNo: number
  /** Of the path and the body. */
  digest: string
  /** 0 for a first request. */
  repetition: number
}

/** A recording may be repeated for this long after its request. */
const retentionMs = 5 * 60_000
const sweepMs = 10_000
const bytesMax = 64 * 1024 * 1024
const bytesOfOneMax = 1024 * 1024
const recordingsMax = 20_000

interface Kept {
  recording: Recording
  untilMs: number
}

/**
 * Responses of this process whose clients may not have received them. The clients of OpenAI's API
 * repeat a request after a broken connection, and mark it. The repetition gets the response to the
 * first request, which is charged once. A response that was received is not kept.
 */
export class RecentResponses implements Disposable {
  readonly #kept = new Map<string, Kept[]>()
  readonly #timer: NodeJS.Timeout
  #bytes = 0
  #count = 0

  constructor() {
    this.#timer = setInterval(() => this.#sweep(), sweepMs)
    this.#timer.unref()
  }

  /** The oldest recording of the same request that no repetition of this number has taken. */
  find(request: RepeatableRequest): Recording | undefined {
    if (request.repetition === 0) return undefined
    const found = this.#kept
      .get(keyOf(request))
      ?.find(({ recording }) => !recording.isDropped && recording.takenBy < request.repetition)
    if (found === undefined) return undefined
    found.recording.takenBy = request.repetition
    return found.recording
  }

  /** Begins a recording; undefined if there are too many. */
  record(request: RepeatableRequest): Recording | undefined {
    if (this.#count >= recordingsMax) return undefined
    let ownBytes = 0
    const recording = new Recording({
      reserve: (bytes) => {
        if (ownBytes + bytes > bytesOfOneMax || this.#bytes + bytes > bytesMax) return false
        ownBytes += bytes
        this.#bytes += bytes
        return true
      },
      free: (bytes) => {
        this.#bytes -= bytes
        this.#remove(keyOf(request), recording)
      },
    })
    recording.takenBy = request.repetition
    const key = keyOf(request)
    this.#kept.set(key, [...(this.#kept.get(key) ?? []), { recording, untilMs: performance.now() + retentionMs }])
    this.#count += 1
    return recording
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #remove(key: string, recording: Recording): void {
    const kept = this.#kept.get(key) ?? []
    const left = kept.filter((each) => each.recording !== recording)
    this.#count -= kept.length - left.length
    if (left.length === 0) this.#kept.delete(key)
    else this.#kept.set(key, left)
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const kept of this.#kept.values()) {
      for (const { recording, untilMs } of kept) if (untilMs <= nowMs) recording.drop()
    }
  }
}

function keyOf({ accountNo, digest }: RepeatableRequest): string {
  return `${accountNo} ${digest}`
}
