import { toReceivedError, toSentError, type SentError } from './sent-error.ts'

/** Methods that the other thread may call. Their parameters and results are copied. */
export type Methods = Record<string, (...parameters: never[]) => Promise<unknown>>

interface Call {
  no: number
  method: string
  parameters: unknown[]
  /** Whether the method gets a signal as its last parameter. */
  hasSignal?: true
}

type Result = { no: number; value: unknown } | { no: number; error: SentError }

/** The calls, results and aborts of one tick. */
interface Message {
  calls?: Call[]
  results?: Result[]
  /** Numbers of the calls whose signals have aborted. */
  aborted?: number[]
}

/** One end of a channel between two threads. A port of `worker_threads` has these members. */
export interface ChannelPort {
  postMessage(message: Message): void
  on(event: 'message', listener: (message: Message) => void): unknown
}

interface PendingCall {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/**
 * Calls between two threads, in both directions. All calls and results of one tick are sent in one
 * message.
 *
 *   caller    { calls: [no, method, parameters] }   ->   callee
 *             <-   { results: [no, value or error] }     in any order
 *   caller    { aborted: [no] }                     ->   callee, whose method sees its signal abort
 */
export class CallChannel<Remote extends Methods> {
  readonly remote: Remote
  readonly #port: ChannelPort
  readonly #methods: Methods
  readonly #pendingCalls = new Map<number, PendingCall>()
  /** Signals of the calls that run in this thread. */
  readonly #signals = new Map<number, AbortController>()
  /** The message that is sent at the end of this tick. */
  #nextMessage: Message = {}
  #isScheduled = false
  #lastNo = 0
  #endError: Error | null = null

  constructor(port: ChannelPort, methods: Methods) {
    this.#port = port
    this.#methods = methods
    this.remote = new Proxy({} as Remote, {
      get:
        (_, method) =>
        (...parameters: unknown[]) =>
          this.#callMethod(String(method), parameters),
    })
    port.on('message', (message) => this.#receive(message))
  }

  /**
   * Called when the other thread has ended. Pending calls and later ones reject with this error.
   */
  end(error: Error): void {
    this.#endError = error
    for (const { reject } of this.#pendingCalls.values()) reject(error)
    this.#pendingCalls.clear()
    for (const controller of this.#signals.values()) controller.abort(error)
  }

  #callMethod(method: string, parameters: unknown[]): Promise<unknown> {
    const endError = this.#endError
    if (endError !== null) return Promise.reject(endError)
    const no = ++this.#lastNo
    const signal = parameters.at(-1)
    const call: Call = { no, method, parameters }
    if (signal instanceof AbortSignal) {
      Object.assign(call, { parameters: parameters.slice(0, -1), hasSignal: true })
      signal.addEventListener('abort', () => this.#abort(no), { once: true })
    }
    return new Promise((resolve, reject) => {
      this.#pendingCalls.set(no, { resolve, reject })
      this.#nextMessage.calls ??= []
      this.#nextMessage.calls.push(call)
      this.#schedule()
      if (signal instanceof AbortSignal && signal.aborted) this.#abort(no)
    })
  }

  #abort(no: number): void {
    if (!this.#pendingCalls.has(no)) return
    this.#nextMessage.aborted ??= []
    this.#nextMessage.aborted.push(no)
    this.#schedule()
  }

  #receive({ calls = [], results = [], aborted = [] }: Message): void {
    for (const call of calls) this.#run(call)
    for (const no of aborted) this.#signals.get(no)?.abort()
    for (const result of results) {
      const pending = this.#pendingCalls.get(result.no)
      this.#pendingCalls.delete(result.no)
      if ('error' in result) pending?.reject(toReceivedError(result.error))
      else pending?.resolve(result.value)
    }
  }

  #run({ no, method, parameters, hasSignal }: Call): void {
    const handler = this.#methods[method] as ((...args: unknown[]) => Promise<unknown>) | undefined
    if (handler === undefined) return this.#replyWith({ no, error: toSentError(new Error(`there is no method ${method}`)) })
    if (hasSignal) {
      const controller = new AbortController()
      this.#signals.set(no, controller)
      parameters.push(controller.signal)
    }
    handler(...parameters)
      .then(
        (value) => this.#replyWith({ no, value }),
        (error: unknown) => this.#replyWith({ no, error: toSentError(error) }),
      )
      .finally(() => this.#signals.delete(no))
  }

  #replyWith(result: Result): void {
    this.#nextMessage.results ??= []
    this.#nextMessage.results.push(result)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const message = this.#nextMessage
      this.#nextMessage = {}
      if (this.#endError === null) this.#port.postMessage(message)
    })
  }
}
