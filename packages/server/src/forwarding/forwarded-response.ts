import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenCounts } from '../catalogue/token-price.ts'
import { collectBody } from '../drivers/collect-body.ts'
import type { ResponseBody } from '../drivers/forwarding.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteCost } from '../routing/configuration/definitions.ts'
import type { ForwardLimits } from './forward-settings.ts'
import type { HeldRequest } from './held-request.ts'
import type { Recording } from './recording.ts'
import { ResponseReader, type ReaderOptions } from './response-reader.ts'
import { EventSplitter } from './split-events.ts'

/** A request whose upstream has begun its response. */
interface ForwardedExchange {
  held: HeldRequest
  body: ResponseBody
  /** Aborts the request to the upstream. */
  abort: (reason: Error) => void
  /** Aborts when the model's time limit for a response ends. */
  deadline: AbortSignal
  reader: ReaderOptions
  /** Number of input tokens to charge if the upstream reports no usage. */
  likelyInputTokens: number
  cost: RouteCost | null
  recording: Recording | undefined
  requestId: string
}

interface ForwardedResponseDependencies {
  limits: Pick<ForwardLimits, 'drainMs' | 'eventBytesMax' | 'responseBytesMax'>
  logger: Pick<Logger, 'warn'>
}

/** Maximum time to wait for the end of a response after its last event. */
const endTimeoutMs = 50

/**
 * Error for an upstream response that is incomplete or invalid, before any of it was sent to the
 * client.
 */
export class UnusableResponse extends Error {
  override readonly name = 'UnusableResponse'
}

/**
 * Forwards the response of an upstream to the client, and settles the request at the end of the
 * response. A stream is forwarded as it arrives. Settlement by case:
 *
 *   the response is complete   the reported usage is charged, or an estimate if the upstream
 *                              reports none
 *   a stream breaks off        the reported usage is charged, or an estimate for the received part
 *   the client disconnects     the response is read for up to `drainMs`, because the usage comes
 *                              last; this limit does not apply while a retry of the request
 *                              waits for the response
 *   the deadline passes        a stream is settled as if it broke off, even if the client has not
 *                              read the received part
 *
 * A response that is not a stream, and breaks off or is invalid, does not settle the request:
 * `readAll` throws.
 */
export class ForwardedResponse {
  readonly #dependencies: ForwardedResponseDependencies
  readonly #exchange: ForwardedExchange
  readonly #reader: ResponseReader
  #drainTimer: NodeJS.Timeout | undefined
  #isDisconnected = false
  /**
   * The events after the first one, until `#forwardEvents` or `#drain` begins to read them.
   * Otherwise null.
   */
  #unreadEvents: AsyncGenerator<Buffer, void> | null = null

  constructor(dependencies: ForwardedResponseDependencies, exchange: ForwardedExchange) {
    this.#dependencies = dependencies
    this.#exchange = exchange
    this.#reader = new ResponseReader(exchange.reader)
  }

  /**
   * Reads the whole response and settles the request. Throws `UnusableResponse`, without settling
   * the request, if the response is not a complete JSON object.
   */
  async readAll(): Promise<Buffer> {
    const { body, recording } = this.#exchange
    const { responseBytesMax } = this.#dependencies.limits
    const receivedBody = await collectBody(body, responseBytesMax)
    if (receivedBody === null) throw new UnusableResponse(`the response has more than ${responseBytesMax} bytes`)
    const clientBody = this.#reader.readAll(receivedBody)
    if (clientBody === null) throw new UnusableResponse(this.#reader.error ?? 'the response is not a JSON object')
    recording?.begin(false)
    recording?.add(clientBody)
    this.#settle('completed')
    return clientBody
  }

  /**
   * Waits for the first event of a stream. Rejects with `UnusableResponse` if the stream ends
   * without an event for the client. The returned iterator yields all events, and settles the
   * request at the end.
   */
  async readEvents(): Promise<AsyncIterableIterator<Buffer>> {
    const events = this.#readEvents()
    const firstResult = await events.next()
    if (firstResult.done === true) throw new UnusableResponse(this.#reader.error ?? 'the stream ended before its first event')
    const { recording, deadline } = this.#exchange
    recording?.begin(true)
    recording?.add(firstResult.value)
    const onDeadline = (): void => this.#settleBroken()
    deadline.addEventListener('abort', onDeadline, { once: true })
    if (deadline.aborted) onDeadline()
    this.#unreadEvents = events
    if (this.#isDisconnected) this.clientDisconnected()
    return this.#forwardEvents(firstResult.value, events)
  }

  /**
   * Limits the time for which the response is read after the client has disconnected. If no event
   * has been forwarded, this method also starts to read the rest of the response.
   */
  clientDisconnected(): void {
    this.#isDisconnected = true
    const { abort, recording } = this.#exchange
    this.#drainTimer ??= setTimeout(() => {
      this.#drainTimer = undefined
      if (recording?.hasReplayReader === true) return this.clientDisconnected()
      // The recording is incomplete, and a later retry must not receive it as the whole response.
      recording?.drop()
      abort(new Error('the client has disconnected'))
      // Also settles a request whose client disconnected before it read an event.
      this.#settle('completed')
    }, this.#dependencies.limits.drainMs)
    this.#drainTimer.unref()
    const events = this.#unreadEvents
    this.#unreadEvents = null
    if (events !== null) void this.#drain(events)
  }

  /** Settles a request whose response is not forwarded because the client has disconnected. */
  settleUnread(): void {
    this.#settle('completed')
  }

  async *#forwardEvents(firstEvents: Buffer, events: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
    // `clientDisconnected` reads the events instead.
    if (this.#unreadEvents === null) return
    this.#unreadEvents = null
    let next: Buffer | 'ended' | 'broken' = firstEvents
    try {
      while (typeof next !== 'string') {
        yield next
        next = await this.#nextOf(events)
      }
      if (this.#isComplete(next)) {
        this.#settle('completed')
        return
      }
      this.#settleBroken()
      yield errorEvent(this.#exchange.requestId)
    } finally {
      // The client disconnected while it received an event.
      if (typeof next !== 'string') void this.#drain(events)
    }
  }

  async #nextOf(events: AsyncGenerator<Buffer, void>): Promise<Buffer | 'ended' | 'broken'> {
    try {
      const { value, done } = await events.next()
      if (done === true) return 'ended'
      this.#exchange.recording?.add(value)
      return value
    } catch (cause) {
      const { requestId } = this.#exchange
      const message = 'the response of an upstream ended early'
      if (!this.#isDisconnected) this.#dependencies.logger.warn({ err: cause, requestId }, message)
      return 'broken'
    }
  }

  /** Reads the rest of the response after the client has disconnected. */
  async #drain(events: AsyncGenerator<Buffer, void>): Promise<void> {
    this.clientDisconnected()
    let next: Buffer | 'ended' | 'broken'
    do next = await this.#nextOf(events)
    while (typeof next !== 'string')
    if (this.#isComplete(next)) this.#settle('completed')
    else this.#settleBroken()
  }

  #isComplete(end: 'ended' | 'broken'): boolean {
    return end === 'ended' && this.#reader.error === null
  }

  /**
   * Settles a response that broke off. A retry that reads the recording gets the error event, too.
   */
  #settleBroken(): void {
    this.#exchange.recording?.add(errorEvent(this.#exchange.requestId))
    this.#settle(this.#isDisconnected ? 'completed' : 'failed')
  }

  async *#readEvents(): AsyncGenerator<Buffer, void> {
    const splitter = new EventSplitter(this.#dependencies.limits.eventBytesMax)
    try {
      while (!this.#reader.isDone) {
        const { value, done } = await this.#exchange.body.next()
        if (done === true) break
        const visibleEvents: Buffer[] = []
        for (const event of splitter.push(value)) {
          const visibleEvent = this.#reader.readEvent(event)
          if (this.#reader.error !== null) break
          if (visibleEvent !== null) visibleEvents.push(visibleEvent)
        }
        const [firstEvent] = visibleEvents
        if (firstEvent !== undefined) yield visibleEvents.length === 1 ? firstEvent : Buffer.concat(visibleEvents)
        if (this.#reader.error !== null) return
      }
      const rest = splitter.takeRest()
      if (rest.length > 0 && !this.#reader.isDone) {
        const visibleEvent = this.#reader.readLastEvent(rest)
        if (visibleEvent !== null) yield Buffer.concat([visibleEvent, Buffer.from('\n\n')])
      }
    } finally {
      // Reads the end of the response, which follows the last event immediately, so that the
      // connection can be reused.
      if (this.#reader.isDone)
        await Promise.race([this.#exchange.body.next().catch(() => undefined), sleep(endTimeoutMs, undefined, { ref: false })])
      this.#exchange.body.destroy()
    }
  }

  #settle(outcome: 'completed' | 'failed'): void {
    clearTimeout(this.#drainTimer)
    this.#exchange.recording?.end()
    const { held, likelyInputTokens, cost } = this.#exchange
    const { usage, outputTokens } = this.#reader
    const tokens: TokenCounts = usage ?? { input: likelyInputTokens, cachedInput: 0, output: outputTokens }
    void held.settle(outcome, tokens, { isEstimated: usage === undefined, cost })
  }
}

/**
 * Returns an event that reports an error in a stream whose HTTP status has already been sent.
 * OpenAI's client libraries throw an exception for it.
 */
function errorEvent(requestId: string): Buffer {
  const error = {
    type: 'server_error',
    code: 'upstream_failed',
    message: 'The provider ended the response before it was complete.',
    param: null,
    request_id: requestId,
  }
  return Buffer.from(`data: ${JSON.stringify({ error })}\n\n`)
}
