import type pg from 'pg'

/** Share of messages that are lost. The service must treat messages as hints. */
const lostShare = 0.1

interface Listener {
  /** Number of messages that were sent since it began to listen. */
  expected: number
  received: number
  /** Text of the message that it waits for. */
  until: string | null
  /** Called when the listener has received a message or is closed. */
  onReceived: (() => void)[]
}

/**
 * Messages between the workers of a test case. A sender waits until all listeners have received its
 * message.
 */
export class Messages {
  readonly #random: () => number
  readonly #listeners = new Map<pg.Client, Listener>()

  constructor(random: () => number) {
    this.#random = random
  }

  /** Tracks a statement that may send a message or begin to listen. */
  async track<Result>(client: pg.Client, requested: unknown, result: Promise<Result>): Promise<Result> {
    const text = typeof requested === 'string' ? requested : ''
    const isSent = text.includes('pg_notify(')
    if (isSent) for (const listener of this.#listeners.values()) listener.expected += 1
    const queryResult = await result
    if (text.startsWith('listen ')) this.#listen(client)
    if (isSent) await this.#allReceived()
    return queryResult
  }

  /** Removes a closed listener. */
  clear(client: pg.Client): void {
    const listener = this.#listeners.get(client)
    this.#listeners.delete(client)
    if (listener !== undefined) notifyReceived(listener)
  }

  /**
   * Sends a message and waits until it has arrived, so that the last messages of a killed process
   * have arrived too.
   */
  async deliverAll(send: (payload: string) => Promise<unknown>): Promise<void> {
    const payload = `after all others ${this.#random()}`
    for (const listener of this.#listeners.values()) listener.until = payload
    await send(payload)
    await this.#allReceived()
    for (const listener of this.#listeners.values()) listener.received = listener.expected
  }

  #listen(client: pg.Client): void {
    const listener: Listener = { expected: 0, received: 0, until: null, onReceived: [] }
    this.#listeners.set(client, listener)
    const emit = client.emit.bind(client) as (event: string, ...values: unknown[]) => boolean
    Object.assign(client, {
      emit: (event: string, ...values: unknown[]): boolean => {
        if (event !== 'notification') return emit(event, ...values)
        const [{ payload }] = values as [pg.Notification]
        if (payload === listener.until) listener.until = null
        else listener.received += 1
        const isDelivered = this.#random() >= lostShare && emit(event, ...values)
        notifyReceived(listener)
        return isDelivered
      },
    })
  }

  async #allReceived(): Promise<void> {
    for (const [client, listener] of this.#listeners)
      while (this.#listeners.has(client) && !isComplete(listener))
        await new Promise<void>((resolve) => listener.onReceived.push(resolve))
  }
}

function notifyReceived(listener: Listener): void {
  for (const notify of listener.onReceived.splice(0)) notify()
}

function isComplete({ expected, received, until }: Listener): boolean {
  return received >= expected && until === null
}
