import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import type { Logger } from '../logger.ts'
import type { PoolMember } from '../warm-pool.ts'
import { logLines } from './log-lines.ts'
import { readMessages, writeMessage, type Message } from './messages.ts'
import { channelDescriptor, startChild, type ChildLimits } from './start-child.ts'

export interface LimitedChildOptions {
  /** Name of the child for the log, with an article: `an image decoder`. */
  name: string
  /** Path of the child's program. */
  script: string
  limits: ChildLimits
  /** Maximum size of a response's body. */
  bodyBytesMax: number
  /** Time limit of one exchange, including the start of the child. */
  exchangeMsMax: number
  log: Pick<Logger, 'warn'>
}

export type ExchangeEnd =
  | { outcome: 'response'; message: Message }
  /**
   * The child ended without a response, or sent an invalid message. `signal` is the signal that
   * ended it, if any.
   */
  | { outcome: 'crashed'; signal: NodeJS.Signals | null }
  | { outcome: 'too_slow' }

/**
 * A child process with resource limits that handles one request at a time. If a request takes too
 * long or its signal aborts, the child is killed and cannot be used again.
 */
export class LimitedChild implements PoolMember {
  readonly #child: ChildProcess
  readonly #channel: Duplex
  readonly #messages: AsyncGenerator<Message, void>
  readonly #exited: Promise<NodeJS.Signals | null>
  readonly #options: LimitedChildOptions
  #isReady = false
  #isClosed = false
  #hasExited = false

  constructor(options: LimitedChildOptions) {
    this.#options = options
    const { name, script, limits, bodyBytesMax, log } = options
    const child = startChild(script, limits)
    const { pid } = child
    this.#child = child
    this.#exited = new Promise((resolve) => {
      child.on('error', (err) => {
        log.warn({ child: pid, err }, `${name} cannot be started or ended`)
        if (pid === undefined) resolve(null)
      })
      child.once('exit', (code, signal) => {
        if (!this.#isClosed) log.warn({ child: pid, code, signal }, `${name} crashed`)
        this.#hasExited = true
        resolve(signal)
      })
    })
    const channel = child.stdio?.[channelDescriptor]
    if (pid === undefined || !channel || !child.stdin || !child.stderr) throw new Error(`${name} cannot be started`)
    logLines(child.stderr, (line) => log.warn({ child: pid, line }, `${name} reports`))
    this.#channel = channel as Duplex
    // Pipe errors are ignored, because they only mean that the child has ended.
    for (const pipe of [this.#channel, child.stdin]) pipe.on('error', () => {})
    this.#messages = readMessages(this.#channel, bodyBytesMax)
  }

  get isDead(): boolean {
    return this.#isClosed || this.#hasExited
  }

  /**
   * Sends a request. Rejects with the signal's reason if it aborts, and with an error if the child
   * ends or times out before it is ready.
   */
  async exchange(request: object, body: Uint8Array | undefined, signal: AbortSignal): Promise<ExchangeEnd> {
    signal.throwIfAborted()
    const { exchangeMsMax } = this.#options
    const { promise: abortedOrTooSlow, resolve, reject } = Promise.withResolvers<ExchangeEnd>()
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => resolve({ outcome: 'too_slow' }), exchangeMsMax)
    let exchangeEnd: ExchangeEnd | undefined
    try {
      exchangeEnd = await Promise.race([this.#runExchange(request, body), abortedOrTooSlow])
      if (exchangeEnd.outcome === 'too_slow') this.#reportSlow(exchangeMsMax)
      return exchangeEnd
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      if (exchangeEnd?.outcome !== 'response') void this.close()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#killChild()
  }

  async #runExchange(request: object, body: Uint8Array | undefined): Promise<ExchangeEnd> {
    if (!this.#isReady) {
      if ('signal' in (await this.#receive())) throw new Error(`${this.#options.name} ended before it was ready`)
      this.#isReady = true
    }
    writeMessage(this.#channel, request, body)
    const received = await this.#receive()
    return 'signal' in received ? { outcome: 'crashed', ...received } : { outcome: 'response', message: received }
  }

  async #receive(): Promise<Message | { signal: NodeJS.Signals | null }> {
    try {
      const { value } = await this.#messages.next()
      if (value !== undefined) return value
    } catch (err) {
      this.#options.log.warn({ child: this.#child.pid, err }, `${this.#options.name} sent an invalid message`)
      await this.#killChild()
      return { signal: null }
    }
    // The pipe has closed, but the child may end slightly later.
    return { signal: await this.#killChild() }
  }

  /**
   * Kills the child. Returns the signal that ended it, which may be another signal if the child was
   * already ending.
   */
  async #killChild(): Promise<NodeJS.Signals | null> {
    this.#child.kill('SIGKILL')
    return await this.#exited
  }

  #reportSlow(exchangeMsMax: number): void {
    const { name, log } = this.#options
    log.warn({ child: this.#child.pid, exchangeMsMax }, `${name} took too long and was killed`)
    if (!this.#isReady) throw new Error(`${name} was not ready in time`)
  }
}
