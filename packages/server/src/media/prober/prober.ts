import { LimitedChild, type ExchangeEnd, type LimitedChildOptions } from '../../lib/limited-child/limited-child.ts'
import { unreachable } from '../../lib/unreachable.ts'
import type { PoolMember } from '../../lib/warm-pool.ts'
import { MediaProbeError, type MediaProbeErrorCode, type ProbedMedia } from '../probe-media.ts'

export interface ProberOptions {
  /** The child's program. */
  script: string
  /** For one file, including the start of the child. */
  probeMsMax: number
  log: LimitedChildOptions['log']
}

export interface ProbeRequest {
  path: string
}

export type ProbeEnd =
  | { kind: 'media'; media: ProbedMedia }
  | { kind: 'refused'; code: MediaProbeErrorCode; message: string }
  /** The operating system refused to read the file. */
  | { kind: 'unreadable'; message: string }

/** `cpuSeconds`: CPU time of the child since its start. */
type FromProber = ProbeEnd & { cpuSeconds: number }

/** A child that has used more is replaced, so that each file gets 20 seconds. */
const cpuSecondsMaxBefore = 10
/** An hour of video at 60 frames a second takes less than 64 MB of the heap. */
const limits = { heapMegabytesMax: 128, memoryKilobytesMax: 1280 * 1024, cpuSecondsMax: cpuSecondsMaxBefore + 20 }

/** One child process that probes one file at a time, within limits of memory and CPU time. */
export class Prober implements PoolMember {
  readonly #child: LimitedChild
  #cpuSeconds = 0

  constructor({ script, probeMsMax, log }: ProberOptions) {
    this.#child = new LimitedChild({ name: 'a media prober', script, limits, bodyBytesMax: 0, exchangeMsMax: probeMsMax, log })
  }

  get isDead(): boolean {
    return this.#child.isDead || this.#cpuSeconds > cpuSecondsMaxBefore
  }

  /**
   * Throws a `MediaProbeError` if the file is bad, and the signal's reason if it aborts. Any other
   * error is one of the machine: the child could not be started, was killed from outside, or got
   * too little CPU time.
   */
  async probe(path: string, signal: AbortSignal): Promise<ProbedMedia> {
    const end = await this.#child.exchange({ path } satisfies ProbeRequest, undefined, signal)
    if (end.outcome !== 'response') throw errorOf(end)
    const response = end.message.header as FromProber
    this.#cpuSeconds = response.cpuSeconds
    if (response.kind === 'refused') throw new MediaProbeError(response.code, response.message)
    if (response.kind === 'unreadable') throw new Error(`the file could not be read: ${response.message}`)
    if (response.kind === 'media' && isMedia(response.media)) return response.media
    void this.close()
    throw new MediaProbeError('broken', 'the prober of the file sent an invalid response')
  }

  async close(): Promise<void> {
    await this.#child.close()
  }
}

function errorOf(end: Exclude<ExchangeEnd, { outcome: 'response' }>): Error {
  switch (end.outcome) {
    case 'too_slow':
      return new Error('the file could not be probed in time, although it took less CPU time than allowed')
    case 'crashed':
      // The kernel does this when the machine runs out of memory. The limits of the child end it by
      // other signals.
      if (end.signal === 'SIGKILL') return new Error('the prober of the file was killed')
      if (end.signal === 'SIGXCPU') return new MediaProbeError('broken', 'the file takes too much CPU time to probe')
      return new MediaProbeError('broken', 'the file cannot be probed within the limits of memory')
    default:
      return unreachable(end)
  }
}

/** A file may have taken control of the child, so its response is checked. */
function isMedia(media: Partial<ProbedMedia>): boolean {
  const { kind, contentType, width, height, durationSeconds, frames, hasAudio } = media
  const isVideo = kind === 'video' && (contentType === 'video/mp4' || contentType === 'video/webm')
  const isImage = kind === 'image' && String(contentType).startsWith('image/')
  const isDuration = isVideo ? Number.isFinite(durationSeconds) && Number(durationSeconds) > 0 : durationSeconds === null
  return (
    (isVideo || isImage) &&
    [width, height].every(isCount) &&
    isDuration &&
    (frames === undefined || isCount(frames)) &&
    typeof hasAudio === 'boolean'
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}
