import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { availabilityFor } from '../catalogue/availability-for.ts'
import { resolveModel } from '../catalogue/resolve-model.ts'
import { highestPriceOfTokens } from '../catalogue/token-price.ts'
import { unpricedModel } from '../catalogue/unpriced.ts'
import type { ForwardedEnd } from '../db/forwarded-requests.ts'
import { AppError } from '../lib/app-error.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { ClientShares } from '../tasks/client-shares.ts'
import { requireAvailable } from '../tasks/prepare-task.ts'
import { BodyMemory } from './body-memory.ts'
import type { ForwardCall, ForwardingDependencies, SendRequestDependencies, PricedCall } from './forward-call.ts'
import { defaultForwardLimits, type ForwardLimits } from './forward-settings.ts'
import { RecentResponses } from './recent-responses.ts'
import type { Recording } from './recording.ts'
import { readTokenRequest } from './read-token-request.ts'
import { RequestRates } from './request-rates.ts'
import type { RequestListeners } from './held-request.ts'
import { sendRequest, type ClientReply } from './send-request.ts'
import { SlotWaitQueue } from './slot-wait-queue.ts'

export interface ForwardResult {
  response: ClientReply
  /** Must be called when the client has received the response. */
  recordReceived: () => void
}

/**
 * Forwards requests for token models: chat, embeddings and moderations. Credits are held before an
 * upstream is called, and settled by the tokens that the upstream reports
 * (`db/forwarded-requests.ts`).
 */
export class Forwarding implements AsyncDisposable {
  readonly #dependencies: SendRequestDependencies
  readonly #timers: NodeJS.Timeout[]
  readonly #sweeping = new SerialQueue()
  /**
   * Ends of requests that could not be written yet, by number of the request. The leases of these
   * requests may never expire, because this process renews the leases of all its requests.
   */
  readonly #unwrittenEnds = new Map<number, ForwardedEnd>()
  readonly #recentResponses = new RecentResponses()
  readonly #rates = new RequestRates()
  /** Divides the requests of this process among accounts and keys. */
  readonly #shares: ClientShares
  readonly #bodyMemory: BodyMemory

  constructor(dependencies: ForwardingDependencies, limitOverrides: Partial<ForwardLimits> = {}) {
    const limits = { ...defaultForwardLimits, ...limitOverrides }
    this.#dependencies = { ...dependencies, limits, owner: randomUUID(), waitQueue: new SlotWaitQueue(limits) }
    this.#shares = new ClientShares(limits.requestsMax)
    this.#bodyMemory = new BodyMemory(limits.bodyBytesMax)
    this.#timers = [setInterval(() => this.#renew(), limits.renewMs), setInterval(() => this.#sweep(), limits.sweepMs)]
    for (const timer of this.#timers) timer.unref()
    this.#sweep()
  }

  /**
   * Forwards a request. Resolves when the upstream's response is complete or, if it is a stream,
   * has begun. Rejects with an `AppError`.
   */
  async send({ retryCount, ...call }: ForwardCall): Promise<ForwardResult> {
    const pricedCall = this.#priceCall(call)
    const retryableRequest = {
      accountNo: call.principal.accountNo,
      digest: pricedCall.request.digest,
      retryCount: retryCount ?? 0,
    }
    const { accountNo, keyNo } = call.principal
    const { bytes } = pricedCall.request
    if (!this.#bodyMemory.reserve(accountNo, bytes)) throw tooManyRequests()
    const releaseBody = once(() => this.#bodyMemory.release(accountNo, bytes))
    const firstRecording = this.#recentResponses.claim(retryableRequest)
    if (firstRecording !== undefined) {
      const response = await replay(firstRecording, call.clientSignal, releaseBody)
      if (response !== undefined) return { response, recordReceived: () => firstRecording.drop() }
    }
    const owner = { accountNo, keyNo, isOperator: false }
    if (!this.#shares.acquire(owner)) {
      releaseBody()
      throw tooManyRequests()
    }
    const release = (): void => {
      releaseBody()
      this.#shares.release(owner)
    }
    try {
      this.#rates.admit(call.principal)
    } catch (cause) {
      release()
      throw cause
    }
    const listeners: RequestListeners = {
      onTokensUsed: (tokens) => {
        if (tokens > 0) this.#rates.recordTokens(call.principal, tokens)
      },
      onEnded: release,
      onUnwritten: (no, end) => void this.#unwrittenEnds.set(no, end),
    }
    const recording = retryCount === null ? undefined : this.#recentResponses.record(retryableRequest)
    try {
      const response = await sendRequest(this.#dependencies, { ...pricedCall, recording }, listeners)
      return { response, recordReceived: () => recording?.drop() }
    } catch (cause) {
      if (call.clientSignal.aborted) recording?.drop()
      else recording?.fail(cause)
      throw cause
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#recentResponses[Symbol.dispose]()
    await this.#sweeping.run(() => this.#writeEnds())
  }

  #priceCall({ body, catalogue, ...call }: Omit<ForwardCall, 'retryCount'>): Omit<PricedCall, 'recording'> {
    const { prices, clock } = this.#dependencies
    const { principal, path } = call
    const model = resolveModel(catalogue, body['model'], '/v1/models')
    const request = readTokenRequest(path, model, body)
    requireAvailable(model.id, availabilityFor(model, principal.models))
    const price = prices.priceOf(model, principal, clock())
    if (price === null || price.rule.unit !== 'token') throw unpricedModel(model.id)
    const { rule, no: priceNo } = price
    const tokens = { input: request.input.atMost, output: request.outputTokensMax }
    return { ...call, model, request, rule, priceNo, priceMicroCredits: highestPriceOfTokens(rule, tokens) }
  }

  #renew(): void {
    if (!this.#hasOpenRequests()) return
    const { store, owner, limits, logger } = this.#dependencies
    store.renewForwarded(owner, limits.leaseMs).catch((error: unknown) => {
      logger.warn({ err: error }, 'the leases of forwarded requests could not be renewed; this will be retried')
    })
  }

  /** Whether requests of this process are in progress, or their ends are not written yet. */
  #hasOpenRequests(): boolean {
    return this.#shares.usedSlotCount > 0 || this.#unwrittenEnds.size > 0
  }

  #sweep(): void {
    void this.#sweeping.run(async () => {
      await this.#writeEnds()
      await this.#endAbandonedRequests()
    })
  }

  /** Writes the ends that could not be written before. Stops at the first error. */
  async #writeEnds(): Promise<void> {
    const { store, logger } = this.#dependencies
    for (const [no, end] of this.#unwrittenEnds) {
      try {
        await store.endForwarded(no, end)
        this.#unwrittenEnds.delete(no)
      } catch (error) {
        // Moves to the end of the map, so that this request does not prevent others from being ended.
        this.#unwrittenEnds.delete(no)
        this.#unwrittenEnds.set(no, end)
        logger.warn({ err: error }, 'ends of forwarded requests could not be written; this will be retried')
        return
      }
    }
  }

  async #endAbandonedRequests(): Promise<void> {
    const { store, owner, logger } = this.#dependencies
    // If this process was suspended or the clock jumped, the leases of its own requests have
    // expired. But their responses may still arrive, and their ends can still be written.
    const activeOwner = this.#hasOpenRequests() ? owner : undefined
    try {
      const endedCount = await store.endAbandonedRequests(activeOwner)
      if (endedCount > 0)
        logger.warn(
          { requests: endedCount },
          'the holds of forwarded requests were released, because no process renewed their leases',
        )
    } catch (error) {
      logger.warn({ err: error }, 'abandoned requests could not be ended; this will be retried')
    }
  }
}

function tooManyRequests(): AppError {
  return new AppError('overloaded', 'Too many requests are being forwarded; try again shortly.')
}

/**
 * Returns a recorded response as the reply to a retry. Returns undefined if the recording was
 * dropped. Otherwise, `releaseBody` is called when the reply ends.
 */
async function replay(recording: Recording, signal: AbortSignal, releaseBody: () => void): Promise<ClientReply | undefined> {
  try {
    const recorded = await recording.readRecorded(signal)
    if (recorded === undefined) return undefined
    const { isStream, chunks } = recorded
    if (isStream) return { isStream, events: notifyEnd(chunks, releaseBody) }
    const text = await buffer(chunks)
    releaseBody()
    return { isStream, text }
  } catch (cause) {
    releaseBody()
    throw cause
  }
}

/**
 * Calls `onEnded` after the last event, and also if the caller calls `return` before the first one,
 * unlike the `finally` block of a generator.
 */
function notifyEnd(events: AsyncIterableIterator<Buffer>, onEnded: () => void): AsyncIterableIterator<Buffer> {
  return {
    async next() {
      try {
        const result = await events.next()
        if (result.done === true) onEnded()
        return result
      } catch (cause) {
        onEnded()
        throw cause
      }
    },
    async return() {
      onEnded()
      return (await events.return?.()) ?? { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
