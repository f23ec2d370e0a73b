import type { FastifyReply, FastifyRequest } from 'fastify'
import { ClientShares, type RequestOwner } from '../../tasks/client-shares.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeys } from '../../auth/api-keys.ts'
import type { Brands } from '../../brands/brands.ts'
import { reauthorize, principalOf } from '../authorize.ts'
import { requestOwnerOf } from '../is-operator.ts'
import { EventStream } from './event-stream.ts'

export interface StreamsDependencies {
  keys: ApiKeys
  brands: Pick<Brands, 'all'>
  logger: Pick<Logger, 'warn'>
}

const shutdownSpreadMs = 15_000
const retryAfterSeconds = '5'

/**
 * The open event streams of a process. A single account may use about half of the permitted
 * streams, and a single key about a third. The same shares apply to long polls.
 */
export class Streams implements Disposable {
  readonly #dependencies: StreamsDependencies
  readonly #shares: ClientShares
  readonly #openStreams = new Set<EventStream>()
  #isClosing = false

  constructor(dependencies: StreamsDependencies, streamsMax: number) {
    this.#dependencies = dependencies
    this.#shares = new ClientShares(streamsMax)
  }

  get open(): number {
    return this.#openStreams.size
  }

  /**
   * Opens a stream and calls `send`, which writes all of its events. Throws an `AppError` if the
   * key, the account or the service has too many streams, or if the service is shutting down.
   */
  start(request: FastifyRequest, reply: FastifyReply, send: (stream: EventStream) => Promise<void>): void {
    const owner = requestOwnerOf(principalOf(request), this.#dependencies.brands)
    if (this.#isClosing) throw new AppError('overloaded', 'The service is shutting down; try again shortly.', retryLater)
    if (!this.#shares.acquire(owner)) {
      throw new AppError('rate_limited', 'Too many streams are open; close some, or try again later.', retryLater)
    }
    const stream = this.#begin(reply, owner)
    this.#openStreams.add(stream)
    stream.onClose(() => {
      this.#openStreams.delete(stream)
      this.#shares.release(owner)
    })
    send(stream)
      .catch((err: unknown) => {
        // The client reconnects, and gets the error as a response if it persists.
        if (!(err instanceof AppError)) this.#dependencies.logger.warn({ err }, 'a stream ended with an error')
      })
      .finally(() => stream.end())
  }

  /**
   * Sends the headers of a stream. If that fails, the stream does not count as open. If the headers
   * were sent, its connection is closed, because no other response can follow.
   */
  #begin(reply: FastifyReply, owner: RequestOwner): EventStream {
    try {
      return new EventStream(reply)
    } catch (error) {
      this.#shares.release(owner)
      if (reply.sent) reply.raw.destroy()
      throw error
    }
  }

  /**
   * Rejects with an `AppError` if the key of a stream may no longer receive its events. Called
   * before each event and after each heartbeat.
   */
  async requireAdmitted(request: FastifyRequest): Promise<void> {
    await reauthorize(this.#dependencies.keys, 'tasks:read', request)
  }

  [Symbol.dispose](): void {
    this.#isClosing = true
    for (const stream of this.#openStreams) stream.end(shutdownSpreadMs)
  }
}

const retryLater = { headers: { 'retry-after': retryAfterSeconds } }
