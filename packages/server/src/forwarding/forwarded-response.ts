import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenCounts } from '../catalogue/token-price.ts'
import { ByteCollector } from '../lib/byte-collector.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteCost } from '../routing/definitions.ts'
import type { ForwardLimits } from './forward-settings.ts'
import type { HeldRequest } from './held-request.ts'
import type { Recording } from './recording.ts'
import { ResponseReader, type ReaderOptions } from './response-reader.ts'
import { EventSplitter } from './split-events.ts'

export interface ResponseParts {
  held: HeldRequest
  body: Readable
  /** Ends the request at the upstream. */
  abort: (reason: Error) => void
  limits: Pick<ForwardLimits, 'drainMs' | 'eventBytesMax' | 'responseBytesMax'>
  reader: ReaderOptions
  /** The input to charge if the upstream reports no usage. */
  likelyInputTokens: number
  cost: RouteCost | null
  recording: Recording | undefined
  requestId: string
  logger: Pick<Logger, 'warn'>
}

/** Longest wait for the end of a response after its last event. */
const endMs = 50

/** The upstream's response broke off, or is none. Nothing of it was passed on yet. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

/**
 * A response that is passed on as it arrives. Its request is settled when the response has ended, or
 * when it is clear that no more of it comes:
 *
 *   it ended                    by the usage that the upstream has reported, otherwise by an estimate
 *   the upstream broke off      by an estimate of what was passed on
 *   the client disconnected     the response is read on for a while, because its usage comes last
 */
export class ForwardedResponse {
  readonly #parts: ResponseParts
  readonly #reader: ResponseReader
  readonly #chunks: AsyncIterator<Buffer>
  #drainTimer: NodeJS.Timeout | undefined
  #isGone = false

  constructor(parts: ResponseParts) {
    this.#parts = parts
    this.#reader = new ResponseReader(parts.reader)
    this.#chunks = parts.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /**
   * The whole response. Throws `NoResponse` if it is incomplete or no JSON object, before anything is
   * settled.
   */
  async readWhole(): Promise<Buffer> {
    const collected = new ByteCollector()
    for (;;) {
      const { value, done } = await this.#next()
      if (done === true) break
      if (collected.length + value.length > this.#parts.limits.responseBytesMax) {
        throw new NoResponse(`the response has more than ${this.#parts.limits.responseBytesMax} bytes`)
      }
      collected.add(value)
    }
    const read = this.#reader.readWhole(collected.read())
    if (read === null) throw new NoResponse(this.#reader.error ?? 'the response is not a JSON object')
    const { recording } = this.#parts
    recording?.begin(false)
    recording?.add(read)
    this.#settle('completed')
    return read
  }

  /**
   * The events of a stream. Rejects with `NoResponse` if the stream ends before its first event for
   * the client. The returned iterator passes on the others and settles the request.
   */
  async readEvents(): Promise<AsyncIterableIterator<Buffer>> {
    const events = this.#events()
    const first = await events.next()
    if (first.done === true) throw new NoResponse(this.#reader.error ?? 'the stream ended before its first event')
    this.#parts.recording?.begin(true)
    this.#parts.recording?.add(first.value)
    return this.#passOn(first.value, events)
  }

  /** Called when the client has disconnected: the response is read on for its usage, for a bounded time. */
  clientGone(): void {
    this.#isGone = true
    const { limits, abort, recording } = this.#parts
    this.#drainTimer ??= setTimeout(() => {
      this.#drainTimer = undefined
      if (recording?.isFollowed === true) return this.clientGone()
      abort(new Error('the client has disconnected'))
      // Also if the client has disconnected before it began to read.
      this.#settle('completed')
    }, limits.drainMs)
    this.#drainTimer.unref()
  }

  /** Charges an estimate of a response that was given up because its client has disconnected. */
  settleUnread(): void {
    this.#settle('completed')
  }

  async *#passOn(first: Buffer, events: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
    let next: Buffer | 'ended' | 'broken' = first
    try {
      while (typeof next !== 'string') {
        yield next
        next = await this.#nextOf(events)
      }
      const isWhole = next === 'ended' && this.#reader.error === null
      this.#settle(isWhole || this.#isGone ? 'completed' : 'failed')
      if (!isWhole) yield errorEvent(this.#parts)
    } finally {
      // The client has disconnected while it received an event.
      if (typeof next !== 'string') void this.#drain(events)
    }
  }

  async #nextOf(events: AsyncGenerator<Buffer, void>): Promise<Buffer | 'ended' | 'broken'> {
    try {
      const { value, done } = await events.next()
      if (done === true) return 'ended'
      this.#parts.recording?.add(value)
      return value
    } catch (cause) {
      const { logger, requestId } = this.#parts
      if (!this.#isGone) logger.warn({ err: cause, requestId }, 'the response of an upstream broke off')
      return 'broken'
    }
  }

  /** Reads on after the client has disconnected. */
  async #drain(events: AsyncGenerator<Buffer, void>): Promise<void> {
    this.clientGone()
    while (typeof (await this.#nextOf(events)) !== 'string');
    this.#settle('completed')
  }

  async *#events(): AsyncGenerator<Buffer, void> {
    const splitter = new EventSplitter(this.#parts.limits.eventBytesMax)
    try {
      while (!this.#reader.isDone) {
        const { value, done } = await this.#next()
        if (done === true) break
        const passed: Buffer[] = []
        for (const event of splitter.push(value)) {
          const shown = this.#reader.readEvent(event)
          if (this.#reader.error !== null) break
          if (shown !== null) passed.push(shown)
        }
        const [only] = passed
        if (only !== undefined) yield passed.length === 1 ? only : Buffer.concat(passed)
        if (this.#reader.error !== null) return
      }
      const rest = splitter.rest()
      if (rest.length > 0 && !this.#reader.isDone) {
        const shown = this.#reader.readEvent(rest)
        if (shown !== null) yield Buffer.concat([shown, Buffer.from('\n\n')])
      }
    } finally {
      // The end of the response follows at once, and its connection can then be used again.
      if (this.#reader.isDone) await Promise.race([this.#next().catch(() => undefined), sleep(endMs, undefined, { ref: false })])
      this.#parts.body.destroy()
    }
  }

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    return (await this.#chunks.next()) as IteratorResult<Buffer, undefined>
  }

  #settle(outcome: 'completed' | 'failed'): void {
    clearTimeout(this.#drainTimer)
    this.#parts.recording?.end()
    const { held, likelyInputTokens, cost } = this.#parts
    const { usage, outputTokens } = this.#reader
    const tokens: TokenCounts = usage ?? { input: likelyInputTokens, cachedInput: 0, output: outputTokens }
    void held.settle(outcome, tokens, { isEstimated: usage === undefined, cost })
  }
}

/** For a stream whose head was sent already. Clients of OpenAI's API throw it. */
function errorEvent({ requestId }: Pick<ResponseParts, 'requestId'>): Buffer {
  const error = {
    type: 'server_error',
    code: 'upstream_failed',
    message: 'The provider ended the response before it was complete.',
    param: null,
    request_id: requestId,
  }
  return Buffer.from(`data: ${JSON.stringify({ error })}\n\n`)
}
