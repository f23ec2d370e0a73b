import type { Socket } from 'node:net'
import { isTerminal } from '@framegate/contract'
import type { FastifyReply } from 'fastify'
import type { Store } from '../../db/store.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import type { Logger } from '../../lib/logger.ts'
import { readRetryCount } from '../parameters/retry-count.ts'
import { isBehindProxy } from './is-behind-proxy.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'

export interface ReceiptsDependencies {
  store: Pick<Store, 'removeGeneratedKeys'>
  logger: Pick<Logger, 'warn'>
}

/**
 * Tasks whose submit responses were sent between two sweeps. `sockets` has the connection of each
 * task, at the same index. An object for each response would double the work of the garbage
 * collector.
 */
interface SentBatch {
  taskIds: string[]
  sockets: Socket[]
}

const sweepMs = 250
/**
 * Number of sweeps for which a connection is watched: one second in total. A client that does not
 * receive the complete response closes the connection earlier.
 */
const watchedSweeps = 4
/** Maximum size of the set of queried tasks, which records only the first poll of each task. */
const queriedIdsMax = 50_000

/**
 * Tracks which submit responses have reached their clients. Once the response to a submit was
 * received, the idempotency key that the service generated for the submit is removed, so that an
 * identical later submit creates a new task. A response counts as received in two cases:
 *   - the client queries the task
 *   - the connection is still open a second after the response was sent, and no request header
 *     names a proxy, which may keep the connection open after its client has disconnected
 *
 * A response with an error of the server does not count as received, because clients retry it.
 */
export class ResponseReceipts implements AsyncDisposable {
  readonly #dependencies: ReceiptsDependencies
  readonly #timer: Disposable
  #sent: SentBatch = { taskIds: [], sockets: [] }
  /** Batches whose connections are being watched, the oldest first. */
  readonly #watchedBatches: SentBatch[] = []
  readonly #received = new Set<string>()
  readonly #queried = new Set<string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(dependencies: ReceiptsDependencies) {
    this.#dependencies = dependencies
    this.#timer = repeatAligned(() => this.#sweep(), sweepMs)
  }

  /**
   * Watches the connection of a submit response, from the time when the response has been sent.
   * Does nothing if a proxy forwarded the request. Also does nothing if the request has no retry
   * count, because its tasks then have no generated keys.
   */
  watch(reply: FastifyReply, taskIds: readonly string[]): void {
    const { raw, request } = reply
    if (readRetryCount(request) === null || isBehindProxy(request)) return
    const { socket } = request.raw
    // A short response is usually sent at once. It needs no listener, which saves CPU time.
    if (raw.writableEnded && raw.writableLength === 0) {
      if (!isRetried(reply)) this.#addSent(taskIds, socket)
    } else {
      raw.on('finish', () => {
        if (!isRetried(reply)) this.#addSent(taskIds, socket)
      })
    }
  }

  /** Records that the client has queried the task, and has therefore received its id. */
  recordQuery({ id, status }: TaskRecord): void {
    if (this.#queried.has(id)) {
      if (isTerminal(status)) this.#queried.delete(id)
      return
    }
    if (this.#queried.size >= queriedIdsMax) this.#queried.clear()
    if (!isTerminal(status)) this.#queried.add(id)
    this.recordReceived(id)
  }

  recordReceived(id: string): void {
    this.#received.add(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer[Symbol.dispose]()
    this.#sweep()
    await this.#writing
  }

  #sweep(): void {
    this.#watchedBatches.push(this.#sent)
    this.#sent = { taskIds: [], sockets: [] }
    const oldestBatch = this.#watchedBatches.length > watchedSweeps ? this.#watchedBatches.shift() : undefined
    const ids = [
      ...this.#received,
      ...(oldestBatch?.taskIds.filter((_, index) => oldestBatch.sockets[index]?.destroyed === false) ?? []),
    ]
    this.#received.clear()
    if (ids.length === 0) return
    this.#writing = this.#writing.then(() => this.#removeKeys(ids))
  }

  #addSent(taskIds: readonly string[], socket: Socket): void {
    for (const id of taskIds) {
      this.#sent.taskIds.push(id)
      this.#sent.sockets.push(socket)
    }
  }

  async #removeKeys(ids: readonly string[]): Promise<void> {
    try {
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        await this.#dependencies.store.removeGeneratedKeys(ids.slice(start, start + idsPerStatement))
      }
    } catch (err) {
      this.#dependencies.logger.warn(
        { err },
        'received responses could not be recorded; an identical later submit may return the earlier task',
      )
    }
  }
}

const idsPerStatement = 500

/** Whether clients retry a request with this response. */
function isRetried(reply: FastifyReply): boolean {
  return reply.raw.statusCode >= 500 && reply.getHeader('x-should-retry') !== 'false'
}
