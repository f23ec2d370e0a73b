import { Recording } from './recording.ts'

/** Identifies a request that a client may retry. */
export interface RetryableRequest {
  accountNo: number
  /** Digest of the path and the body. */
  digest: string
  /** Number of times that the client has retried the request; 0 for the first request. */
  retryCount: number
}

/** Maximum age of a recording. */
const retentionMs = 5 * 60_000
const sweepMs = 10_000
const totalBytesMax = 64 * 1024 * 1024
const recordingBytesMax = 1024 * 1024
const recordingsMax = 20_000

interface RecordingEntry {
  recording: Recording
  untilMs: number
}

interface AccountRecordings {
  bytes: number
  /** In the order of their starts. */
  recordings: Set<Recording>
}

/**
 * Recordings of responses that clients of this process may not have received. OpenAI's clients
 * retry a request after a lost connection, and mark the retry. The retry gets the response to the
 * first request, and only the first request is charged. A recording is removed once the client has
 * received the response.
 *
 * The recordings of one account may use at most as much memory as remains free for all recordings.
 * If new bytes exceed this limit, the oldest recordings of the account are dropped.
 */
export class RecentResponses implements Disposable {
  readonly #entriesByRequest = new Map<string, RecordingEntry[]>()
  readonly #recordingsByAccount = new Map<number, AccountRecordings>()
  readonly #timer: NodeJS.Timeout
  #totalBytes = 0
  #recordingCount = 0

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
    const entry = this.#entriesByRequest
      .get(keyOf(request))
      ?.find(({ recording }) => !recording.isDropped && recording.servedRetryCount < request.retryCount)
    if (entry === undefined) return undefined
    entry.recording.servedRetryCount = request.retryCount
    return entry.recording
  }

  /** Starts a recording. Returns undefined if there are too many recordings. */
  record(request: RetryableRequest): Recording | undefined {
    const account = this.#recordingsByAccount.get(request.accountNo) ?? { bytes: 0, recordings: new Set<Recording>() }
    if (account.recordings.size >= recordingsMax - this.#recordingCount && !dropOldest(account)) return undefined
    let recordingBytes = 0
    const recording = new Recording({
      reserve: (bytes) => {
        if (recordingBytes + bytes > recordingBytesMax) return false
        while (account.bytes + bytes > totalBytesMax - this.#totalBytes) if (!dropOldest(account, recording)) return false
        recordingBytes += bytes
        account.bytes += bytes
        this.#totalBytes += bytes
        return true
      },
      onDropped: (bytes) => {
        account.bytes -= bytes
        this.#totalBytes -= bytes
        account.recordings.delete(recording)
        if (account.recordings.size === 0) this.#recordingsByAccount.delete(request.accountNo)
        this.#remove(keyOf(request), recording)
      },
    })
    recording.servedRetryCount = request.retryCount
    const key = keyOf(request)
    this.#entriesByRequest.set(key, [
      ...(this.#entriesByRequest.get(key) ?? []),
      { recording, untilMs: performance.now() + retentionMs },
    ])
    this.#recordingCount += 1
    this.#recordingsByAccount.set(request.accountNo, account)
    account.recordings.add(recording)
    return recording
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #remove(key: string, recording: Recording): void {
    const entries = this.#entriesByRequest.get(key) ?? []
    const remainingEntries = entries.filter((entry) => entry.recording !== recording)
    this.#recordingCount -= entries.length - remainingEntries.length
    if (remainingEntries.length === 0) this.#entriesByRequest.delete(key)
    else this.#entriesByRequest.set(key, remainingEntries)
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const entries of this.#entriesByRequest.values()) {
      for (const { recording, untilMs } of entries) if (untilMs <= nowMs) recording.drop()
    }
  }
}

/**
 * Drops the oldest recording of an account that no retry is reading, except `kept`. Returns false
 * if there is none.
 */
function dropOldest({ recordings }: AccountRecordings, kept?: Recording): boolean {
  for (const recording of recordings) {
    if (recording === kept || recording.hasReplayReader) continue
    recording.drop()
    return true
  }
  return false
}

function keyOf({ accountNo, digest }: RetryableRequest): string {
  return `${accountNo} ${digest}`
}
