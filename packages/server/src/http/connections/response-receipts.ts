import type { Socket } from 'node:net'
import { isTerminal } from '@framegate/contract'
import type { FastifyReply } from 'fastify'
import type { Store } from '../../db/store.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import type { Logger } from '../../lib/logger.ts'
import { isBehindProxy } from './is-behind-proxy.ts'

export interface ReceiptsParts {
  store: Pick<Store, 'removeGeneratedKeys'>
  logger: Pick<Logger, 'warn'>
}

/** A sent response whose connection is being watched. */
interface SentResponse {
  taskIds: readonly string[]
  socket: Socket
  sentAtMs: number
}

/**
 * Time for which a connection is watched. A client that got only a part of the response closes the
 * connection earlier.
 */
const watchedMs = 1_000
const sweepMs = 250
const watchedMax = 50_000

/**
 * Tracks which submit responses have reached their clients. For a submit whose response was
 * received, the generated idempotency key is removed, so that an identical later submit creates a
 * new task. A response counts as received in two cases:
 *   - the client queries the task
 *   - the connection is still open a second after the response was sent, and no header shows
 *     a proxy; a proxy keeps the connection open even if its client has disconnected
 */
export class ResponseReceipts implements AsyncDisposable {
  readonly #parts: ReceiptsParts
  readonly #timer: NodeJS.Timeout
  #sent: SentResponse[] = []
  #received = new Set<string>()
  readonly #watched = new Set<string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: ReceiptsParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#sweep(), sweepMs)
    this.#timer.unref()
  }

  /** Watches the response to the submit of these tasks. */
  watch({ raw, request }: FastifyReply, taskIds: readonly string[]): void {
    if (isBehindProxy(request)) return
    const { socket } = request.raw
    raw.on('finish', () => this.#sent.push({ taskIds, socket, sentAtMs: performance.now() }))
  }

  /** Records that the client has queried the task, and therefore knows its id. */
  queried({ id, status }: TaskRecord): void {
    if (this.#watched.has(id)) {
      if (isTerminal(status)) this.#watched.delete(id)
      return
    }
    if (this.#watched.size >= watchedMax) this.#watched.clear()
    if (!isTerminal(status)) this.#watched.add(id)
    this.received(id)
  }

  /** Records that the client knows the id of the task. */
  received(id: string): void {
    this.#received.add(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#sweep()
    await this.#writing
  }

  #sweep(): void {
    const untilMs = performance.now() - watchedMs
    const count = this.#sent.findIndex(({ sentAtMs }) => sentAtMs > untilMs)
    const watched = this.#sent.splice(0, count === -1 ? this.#sent.length : count)
    for (const { taskIds, socket } of watched) if (!socket.destroyed) for (const id of taskIds) this.#received.add(id)
    if (this.#received.size === 0) return
    const ids = [...this.#received]
    this.#received = new Set()
    this.#writing = this.#writing.then(() => this.#clearKeys(ids))
  }

  async #clearKeys(ids: readonly string[]): Promise<void> {
    try {
      for (let first = 0; first < ids.length; first += idsPerStatement) {
        await this.#parts.store.removeGeneratedKeys(ids.slice(first, first + idsPerStatement))
      }
    } catch (err) {
      this.#parts.logger.warn({ err }, 'received responses could not be recorded; a repeated submit may find its first task')
    }
  }
}

const idsPerStatement = 500
