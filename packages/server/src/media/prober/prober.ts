import { LimitedChild, type ExchangeEnd, type LimitedChildOptions } from '../../lib/limited-child/limited-child.ts'
import { isAudioType, isVideoType } from '../../lib/media-type.ts'
import { unreachable } from '../../lib/unreachable.ts'
import type { PoolMember } from '../../lib/warm-pool.ts'
import type { InputFacts } from '../probe-input.ts'
import { MediaProbeError, type MediaProbeErrorCode, type ProbedMedia } from '../probe-media.ts'

export interface ProberOptions {
  script: string
  /** Time limit per file, including the start of the child. */
  probeMsMax: number
  /** Minimum CPU seconds for each file. It must be an even number. */
  cpuSecondsPerFile: number
  log: LimitedChildOptions['log']
}

export type ProbeRequest =
  /** Kind of the file: a result of an upstream, or an input video or sound. */
  | { as: 'result' | 'input'; path: string }
  /** A quick check of several results. */
  | { as: 'check'; paths: readonly string[] }

export type ProbeResponse =
  /** The media of each file of a check. Null: the check could not determine it. */
  | { kind: 'checked'; media: (ProbedMedia | null)[] }
  | { kind: 'media'; media: ProbedMedia }
  | { kind: 'input'; input: InputFacts }
  | { kind: 'refused'; code: MediaProbeErrorCode; message: string }
  /** The operating system could not read the file. */
  | { kind: 'unreadable'; message: string }

/** `cpuSeconds`: CPU time of the child since its start. */
type FromProber = ProbeResponse & { cpuSeconds: number }

/**
 * Resource limits of a child. An hour of video at 60 frames per second takes less than 64 MB of the
 * heap.
 */
const childLimits = { heapMegabytesMax: 128, memoryKilobytesMax: 1280 * 1024 }

/** Error for a probe that took too long because the machine was too busy. */
export class ProbeTimeout extends Error {
  override readonly name = 'ProbeTimeout'
}

/** A child process that probes one file at a time, within limits of memory and CPU time. */
export class Prober implements PoolMember {
  readonly #child: LimitedChild
  /**
   * A child that has used more CPU seconds than this is replaced, so that each file gets at least
   * `cpuSecondsPerFile`.
   */
  readonly #cpuSecondsUntilReplaced: number
  #cpuSeconds = 0

  constructor({ script, probeMsMax, cpuSecondsPerFile, log }: ProberOptions) {
    this.#cpuSecondsUntilReplaced = cpuSecondsPerFile / 2
    this.#child = new LimitedChild({
      name: 'a media prober',
      script,
      limits: { ...childLimits, cpuSecondsMax: this.#cpuSecondsUntilReplaced + cpuSecondsPerFile },
      bodyBytesMax: 0,
      exchangeMsMax: probeMsMax,
      log,
    })
  }

  get isDead(): boolean {
    return this.#child.isDead || this.#cpuSeconds > this.#cpuSecondsUntilReplaced
  }

  /**
   * Probes a result. Throws a `MediaProbeError` if the file is not usable, and the signal's reason
   * if it aborts. Any other error is a problem of the machine: the child could not be started, was
   * killed by another process, or got too little CPU time.
   */
  async probe(path: string, signal: AbortSignal): Promise<ProbedMedia> {
    const response = await this.#runExchange({ path, as: 'result' }, signal)
    if (response.kind === 'media' && isProbedMedia(response.media)) return response.media
    throw this.#invalidResponse()
  }

  /**
   * Checks several results quickly. Returns their media, or null for each file that must be probed.
   * Throws if the check has failed.
   */
  async check(paths: readonly string[], signal: AbortSignal): Promise<(ProbedMedia | null)[]> {
    const response = await this.#runExchange({ paths, as: 'check' }, signal)
    const isValid = response.kind === 'checked' && response.media.every((media) => media === null || isProbedMedia(media))
    if (isValid) return response.media
    throw this.#invalidResponse()
  }

  /** Probes an input video or sound. Throws the same errors as `probe`. */
  async probeInput(path: string, signal: AbortSignal): Promise<InputFacts> {
    const response = await this.#runExchange({ path, as: 'input' }, signal)
    if (response.kind === 'input' && isInputFacts(response.input)) return response.input
    throw this.#invalidResponse()
  }

  async #runExchange(request: ProbeRequest, signal: AbortSignal): Promise<FromProber> {
    const end = await this.#child.exchange(request, undefined, signal)
    if (end.outcome !== 'response') throw errorOf(end)
    const response = end.message.header as FromProber
    this.#cpuSeconds = response.cpuSeconds
    if (response.kind === 'refused') throw new MediaProbeError(response.code, response.message)
    if (response.kind === 'unreadable') throw new Error(`the file could not be read: ${response.message}`)
    return response
  }

  #invalidResponse(): MediaProbeError {
    void this.close()
    return new MediaProbeError('broken', 'the prober sent an invalid response')
  }

  async close(): Promise<void> {
    await this.#child.close()
  }
}

function errorOf(end: Exclude<ExchangeEnd, { outcome: 'response' }>): Error {
  switch (end.outcome) {
    case 'too_slow':
      return new ProbeTimeout('the file could not be probed in time, although it took less CPU time than allowed')
    case 'crashed':
      // The kernel sends SIGKILL if the machine runs out of memory. The child's own limits end it
      // with other signals.
      if (end.signal === 'SIGKILL') return new Error('the prober was killed')
      if (end.signal === 'SIGXCPU') return new MediaProbeError('broken', 'the file takes too much CPU time to probe')
      return new MediaProbeError('broken', 'the file cannot be probed within the limits of memory')
    default:
      return unreachable(end)
  }
}

/** Validates a response, because a file may have taken control of the child. */
function isProbedMedia(media: Partial<ProbedMedia>): boolean {
  const { kind, contentType, width, height, durationSeconds, frames, isHdr, hasAudio } = media
  const isVideo = kind === 'video' && (contentType === 'video/mp4' || contentType === 'video/webm')
  const isImage = kind === 'image' && String(contentType).startsWith('image/')
  const isDuration = isVideo ? Number.isFinite(durationSeconds) && Number(durationSeconds) > 0 : durationSeconds === null
  return (
    (isVideo || isImage) &&
    [width, height].every(isPositiveInteger) &&
    isDuration &&
    (frames === undefined || isPositiveInteger(frames)) &&
    (isHdr === undefined || isHdr) &&
    typeof hasAudio === 'boolean'
  )
}

function isInputFacts(input: Partial<InputFacts>): boolean {
  const { kind, contentType, width, height, durationSeconds, framesPerSecond, codecs, hasAudio } = input
  const isDuration = Number.isFinite(durationSeconds) && Number(durationSeconds) > 0
  const areCodecs = Array.isArray(codecs) && codecs.length > 0 && codecs.every((codec) => /^[a-z0-9-]{1,20}$/.test(codec))
  const hasFactsOfKind =
    kind === 'video'
      ? isVideoType(contentType) && [width, height].every(isPositiveInteger) && Number.isFinite(framesPerSecond)
      : kind === 'audio' && isAudioType(contentType) && [width, height, framesPerSecond].every((value) => value === null)
  return hasFactsOfKind && isDuration && areCodecs && typeof hasAudio === 'boolean'
}

function isPositiveInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}
