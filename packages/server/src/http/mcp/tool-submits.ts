import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../auth/principal.ts'
import type { Brand } from '../../brands/brand.ts'
import { KeyedSemaphores } from '../../lib/keyed-semaphores.ts'
import { generateKey } from '../../identity/generated-key.ts'
import { digestOfRequest, findRetried } from '../../tasks/retried-submits.ts'
import { submitTask, type SubmittedTask } from '../../tasks/submit-task.ts'
import type { ResponseReceipts } from '../connections/response-receipts.ts'
import { isBehindProxy } from '../connections/is-behind-proxy.ts'
import { onDisconnect } from '../connections/on-disconnect.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/** A response counts as received if its connection stays open for this time after it. */
const receivedAfterMs = 1_000
/** Maximum size of `#receivedIds`, which bridges the time until the database is updated. */
const receivedIdsMax = 50_000

/** The fields of a tool call that a submit needs. */
export interface SubmittingCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly principal: Principal
  readonly brand: Brand
  /** Aborts when the client disconnects or cancels the call. The task of the call continues. */
  readonly signal: AbortSignal
  /** Aborts when the client cancels the call with a notification. */
  readonly cancelled: AbortSignal
}

/**
 * Submits the tasks of tool calls, so that a retried call does not create a second task.
 *
 * A call with an idempotency key is a submit with this key. MCP clients do not mark retries. A call
 * without a key therefore counts as a retry of an earlier call with the same arguments if the
 * client may not have received the response to the earlier call:
 *
 * - the connection closed before the end of the response, or within a second after it
 * - the client cancelled the earlier call
 * - the earlier call failed after its task was accepted, so the response does not name the task
 * - the service stopped before the response
 * - a proxy forwarded the response, and the client has not used the task's id since
 *
 * Concurrent calls with the same arguments create one task each.
 */
export class ToolSubmits {
  readonly #dependencies: HttpDependencies
  readonly #receipts: ResponseReceipts
  /** Ids of tasks for which it is still unknown whether the client has received the response. */
  readonly #undecidedIds = new Set<string>()
  /** The ids in `#undecidedIds` whose calls have failed. */
  readonly #failedIds = new Set<string>()
  /** Ids of tasks whose responses the clients have received. */
  readonly #receivedIds = new Set<string>()
  /** Ids of the tasks in the latest responses on each connection. */
  readonly #sentIds = new WeakMap<Socket, string[]>()
  /** Lets only one submit with the same account and arguments run at a time. */
  readonly #semaphores = new KeyedSemaphores<string>(1)

  constructor(dependencies: HttpDependencies, receipts: ResponseReceipts) {
    this.#dependencies = dependencies
    this.#receipts = receipts
  }

  /**
   * Called for each request. A client sends another request on a connection only after it has
   * received the previous response, so the tasks of that response count as received.
   */
  recordRequest(request: FastifyRequest): void {
    const ids = this.#sentIds.get(request.raw.socket)
    if (ids === undefined || isBehindProxy(request)) return
    this.#sentIds.delete(request.raw.socket)
    for (const id of ids) this.recordReceived(id)
  }

  recordReceived(id: string): void {
    if (this.#receivedIds.size >= receivedIdsMax) this.#receivedIds.clear()
    this.#undecidedIds.delete(id)
    this.#receivedIds.add(id)
    this.#receipts.recordReceived(id)
  }

  /** Records that a call has failed after its task was accepted. */
  recordFailed(id: string): void {
    if (this.#undecidedIds.has(id)) this.#failedIds.add(id)
  }

  async submit(
    call: SubmittingCall,
    body: Readonly<Record<string, unknown>>,
    idempotencyKey: string | undefined,
  ): Promise<SubmittedTask> {
    if (idempotencyKey !== undefined) return await this.#submit(call, body, idempotencyKey)
    const { accountNo } = call.principal
    const digest = digestOfRequest(['mcp', body])
    const submitResult = await this.#semaphores.use(`${accountNo} ${digest}`, call.signal, async () => {
      const request = { accountNo, digest, retryCount: null }
      const isExcluded = (id: string) => this.#undecidedIds.has(id) || this.#receivedIds.has(id)
      const retriedTask = await findRetried(this.#dependencies, request, isExcluded)
      const submitted =
        retriedTask === undefined
          ? await this.#submit(call, body, generateKey(request))
          : { task: retriedTask, replayed: true, isResponseLost: false }
      this.#watch(call, submitted.task.id)
      return submitted
    })
    call.signal.throwIfAborted()
    if (submitResult === undefined) throw new Error('a call was not run, although it was not cancelled')
    return submitResult
  }

  async #submit(
    { request, reply, principal, brand, signal }: SubmittingCall,
    body: Readonly<Record<string, unknown>>,
    idempotencyKey: string,
  ): Promise<SubmittedTask> {
    const submitResult = await submitTask(this.#dependencies, {
      principal,
      catalogue: brand.catalogue,
      v1Family: null,
      body,
      openSignal: () => signal,
      idempotencyKey,
    })
    const { task, replayed, isResponseLost } = submitResult
    if (!replayed) {
      const { telemetry, logger } = this.#dependencies
      telemetry.taskAccepted(task, { requestId: request.id, traceparent: undefined, elapsedMs: reply.elapsedTime })
      logger.debug({ requestId: request.id, task: task.id }, 'a task was accepted')
    }
    if (isResponseLost) request.raw.socket.destroy()
    return submitResult
  }

  /** Watches whether the response with this task reaches the client. */
  #watch({ request, reply: { raw }, cancelled }: SubmittingCall, id: string): void {
    const { socket } = request.raw
    if (raw.closed || socket.destroyed) return
    this.#undecidedIds.add(id)
    raw.once('close', () => {
      const hasFailed = this.#failedIds.delete(id)
      // A client ignores the response to a call that it has cancelled.
      if (hasFailed || !raw.writableFinished || cancelled.aborted || isBehindProxy(request)) {
        this.#undecidedIds.delete(id)
        return
      }
      this.#sentIds.set(socket, [...(this.#sentIds.get(socket) ?? []), id])
      const timer = setTimeout(() => {
        stopListening()
        this.recordReceived(id)
      }, receivedAfterMs)
      const stopListening = onDisconnect(socket, () => {
        clearTimeout(timer)
        this.#undecidedIds.delete(id)
      })
      timer.unref()
    })
  }
}
