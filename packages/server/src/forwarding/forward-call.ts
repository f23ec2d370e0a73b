import type { Principal } from '../auth/principal.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Model, PriceRule } from '../catalogue/model.ts'
import type { PriceBook } from '../catalogue/price-book.ts'
import type { Store } from '../db/store.ts'
import type { ForwardPath } from '../drivers/forwarding.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Routes } from '../routing/routes.ts'
import type { ForwardLimits } from './forward-settings.ts'
import type { Recording } from './recording.ts'
import type { TokenRequest } from './read-token-request.ts'
import type { SlotWaitQueue } from './slot-wait-queue.ts'

export type { ForwardPath }

/** A client's request for a model that is priced by tokens: chat, embedding or moderation. */
export interface ForwardCall {
  path: ForwardPath
  principal: Principal
  /** The models of the caller's brand (a storefront with its own domain). */
  catalogue: Catalogue
  body: Readonly<Record<string, unknown>>
  requestId: string
  /**
   * Number of times that the client has already retried the request. Null: the request does not
   * contain the number.
   */
  retryCount: number | null
  /** Aborts when the client disconnects. */
  clientSignal: AbortSignal
}

/** A validated request with its price. */
export interface PricedCall extends Omit<ForwardCall, 'body' | 'catalogue' | 'retryCount'> {
  model: Model
  request: TokenRequest
  rule: PriceRule
  priceNo: number | null
  /** Amount of credits to hold. */
  priceMicroCredits: number
  /** Recording of the response, for retries of the request. */
  recording: Recording | undefined
}

export interface ForwardingDependencies {
  store: Pick<Store, 'holdForwarded' | 'moveForwarded' | 'endForwarded' | 'renewForwarded' | 'endAbandonedRequests'>
  routes: Pick<Routes, 'connect' | 'forwarding' | 'health'>
  prices: Pick<PriceBook, 'priceOf'>
  nextTaskId: () => string
  clock: Clock
  logger: Logger
}

export interface SendRequestDependencies extends ForwardingDependencies {
  limits: ForwardLimits
  /** Identifies this process in the leases of forwarded requests. */
  owner: string
  waitQueue: SlotWaitQueue
}
