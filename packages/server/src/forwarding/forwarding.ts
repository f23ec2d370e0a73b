import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { availabilityFor } from '../catalogue/availability-for.ts'
import { resolveModel } from '../catalogue/resolve-model.ts'
import { highestPriceOfTokens } from '../catalogue/token-price.ts'
import { unpricedModel } from '../catalogue/unpriced.ts'
import { AppError } from '../lib/app-error.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { requireAvailable } from '../tasks/prepare-task.ts'
import type { ForwardCall, ForwardServices, ForwardDependencies, PricedCall } from './forward-call.ts'
import { defaultForwardLimits, type ForwardLimits } from './forward-settings.ts'
import { RecentResponses } from './recent-responses.ts'
import type { Recorded } from './recording.ts'
import { readTokenRequest } from './read-token-request.ts'
import { RequestRates } from './request-rates.ts'
import { sendRequest, type ClientReply } from './send-request.ts'
import { SlotWaitQueue } from './slot-wait-queue.ts'

export interface ForwardingOptions extends ForwardServices {
  limits?: Partial<ForwardLimits>
}

export interface Forwarded {
  response: ClientReply
  /** Must be called when the client has certainly received the response. */
  received: () => void
}

/**
 * Forwards requests for token models: chat, embeddings and moderations. Credits are held before an
 * upstream is called, and settled by the tokens that the upstream reports
 * (`forwarded-requests.ts`).
 */
export class Forwarding implements AsyncDisposable {
  readonly #tools: ForwardDependencies
  readonly #timers: NodeJS.Timeout[]
  readonly #sweeping = new SerialQueue()
  readonly #recent = new RecentResponses()
  readonly #rates = new RequestRates()
  #requests = 0

  constructor({ limits: limitOverrides, ...services }: ForwardingOptions) {
    const limits = { ...defaultForwardLimits, ...limitOverrides }
    this.#tools = { ...services, limits, owner: randomUUID(), waitQueue: new SlotWaitQueue(limits) }
    this.#timers = [setInterval(() => this.#renew(), limits.renewMs), setInterval(() => this.#sweep(), limits.sweepMs)]
    for (const timer of this.#timers) timer.unref()
    this.#sweep()
  }

  /**
   * Forwards a request. Resolves when the upstream's response has begun. Rejects with an
   * `AppError`.
   */
  async send({ retryCount, ...call }: ForwardCall): Promise<Forwarded> {
    const pricedCall = this.#priceCall(call)
    const retryableRequest = {
      accountNo: call.principal.accountNo,
      digest: pricedCall.request.digest,
      retryCount: retryCount ?? 0,
    }
    const first = this.#recent.claim(retryableRequest)
    const recordedResponse = await first?.readRecorded(call.clientSignal)
    if (first !== undefined && recordedResponse !== undefined)
      return { response: await responseOf(recordedResponse), received: () => first.drop() }
    if (this.#requests >= this.#tools.limits.requestsMax) {
      throw new AppError('overloaded', 'Too many requests are being forwarded; try again shortly.')
    }
    this.#rates.admit(call.principal)
    this.#requests += 1
    const onEnded = (tokens: number): void => {
      this.#requests -= 1
      if (tokens > 0) this.#rates.recordTokens(call.principal, tokens)
    }
    const recording = retryCount === null ? undefined : this.#recent.record(retryableRequest)
    try {
      const response = await sendRequest(this.#tools, { ...pricedCall, recording }, onEnded)
      return { response, received: () => recording?.drop() }
    } catch (cause) {
      if (call.clientSignal.aborted) recording?.drop()
      else recording?.fail(cause)
      throw cause
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#recent[Symbol.dispose]()
    await this.#sweeping.untilSettled()
  }

  #priceCall({ body, catalogue, ...call }: Omit<ForwardCall, 'retryCount'>): Omit<PricedCall, 'recording'> {
    const { prices, clock } = this.#tools
    const { principal, path } = call
    const model = resolveModel(catalogue, body['model'])
    const request = readTokenRequest(path, model, body)
    requireAvailable(model.id, availabilityFor(model, principal.models))
    const price = prices.priceOf(model, principal, clock())
    if (price === null || price.rule.unit !== 'token') throw unpricedModel(model.id)
    const { rule, no: priceNo } = price
    const tokens = { input: request.input.atMost, output: request.outputTokensMax }
    return { ...call, model, request, rule, priceNo, priceMicroCredits: highestPriceOfTokens(rule, tokens) }
  }

  #renew(): void {
    if (this.#requests === 0) return
    const { store, owner, limits, logger } = this.#tools
    store.renewForwarded(owner, limits.leaseMs).catch((error: unknown) => {
      logger.warn({ err: error }, 'the leases of forwarded requests could not be renewed; this will be retried')
    })
  }

  #sweep(): void {
    void this.#sweeping.run(() => this.#endAbandoned())
  }

  async #endAbandoned(): Promise<void> {
    const { store, logger } = this.#tools
    try {
      const endedCount = await store.endAbandoned()
      if (endedCount > 0)
        logger.warn({ requests: endedCount }, 'the holds of requests were released, because their process has ended')
    } catch (error) {
      logger.warn({ err: error }, 'abandoned requests could not be ended; this will be retried')
    }
  }
}

/** Returns the recorded response of the first request, for a retry. */
async function responseOf({ isStream, chunks }: Recorded): Promise<ClientReply> {
  return isStream ? { isStream, events: chunks } : { isStream, text: await buffer(chunks) }
}
