/**
 * Maximum number of task ids in a message, and also of attempt ids. PostgreSQL accepts only
 * messages of less than 8,000 bytes.
 */
const idsPerMessageMax = 100
/**
 * Time for which changes of several commits are collected into one message. Fewer messages are
 * better, because PostgreSQL serializes the commits that send one.
 */
const batchDelayMs = 10

/**
 * A notification between processes. It is only a hint: a process that misses it finds the change by
 * polling, or drops the tasks in its memory when it reconnects.
 */
interface Message {
  /** Id of the sender process. Left out if a trigger of the database has sent the message. */
  from?: string
  /** Ids of ended tasks, without their prefix. */
  ended?: string[]
  /** Ids of unfinished tasks whose status or progress has changed, without their prefix. */
  changed?: string[]
  /** Ids of tasks whose prompt was removed, without their prefix. */
  erased?: string[]
  /** Ids of deleted tasks, without their prefix. */
  deleted?: string[]
  /** Whether the tables of a month with past tasks were dropped. */
  month?: true
  /** Ids of attempts for which an upstream has reported a change. */
  attempts?: string[]
  /** Numbers of the accounts whose events were distributed. */
  feeds?: number[]
  /** Whether there may be deliveries to webhooks to send. */
  deliveries?: true
  /** Whether there may be tasks to claim. */
  due?: true
  /** Whether a worker has joined or left. */
  workers?: true
  /** Whether keys, accounts, brands, prices, models, upstreams or routes were changed. */
  rules?: true
}

/** A parsed `Message`. The ids of tasks have their prefix. */
export interface ChangeMessage {
  ended: string[]
  changed: string[]
  erased: string[]
  deleted: string[]
  isMonthDropped: boolean
  attempts: string[]
  feeds: number[]
  hasDeliveries: boolean
  isDue: boolean
  isConfigChanged: boolean
  areWorkersChanged: boolean
}

const idPrefix = 'task_'

/** Collects the notifications of this process, and parses those of other processes. */
export class ChangeMessages {
  readonly #id: string
  readonly #send: (payload: string) => void
  #ended: string[] = []
  readonly #changed = new Set<string>()
  #attempts: string[] = []
  #isDue = false
  #timer: NodeJS.Timeout | null = null

  constructor(id: string, send: (payload: string) => void) {
    this.#id = id
    this.#send = send
  }

  notifyEnded(taskId: string): void {
    const id = taskId.slice(idPrefix.length)
    this.#ended.push(id)
    this.#changed.delete(id)
    this.#schedule()
  }

  /** Notifies other processes of a change of the task that does not end it. */
  notifyChanged(taskId: string): void {
    this.#changed.add(taskId.slice(idPrefix.length))
    this.#schedule()
  }

  notifyAttempt(attemptId: string): void {
    this.#attempts.push(attemptId)
    this.#schedule()
  }

  /**
   * Returns the messages about removed content. They must be sent in the transaction of the
   * removal, because other processes may return the content from memory until they receive them.
   */
  erasedMessages(taskIds: readonly string[], isDeletion: boolean): string[] {
    const messages: Message[] = []
    for (let start = 0; start < taskIds.length; start += idsPerMessageMax) {
      const batch = taskIds.slice(start, start + idsPerMessageMax).map((id) => id.slice(idPrefix.length))
      messages.push({ from: this.#id, ...(isDeletion ? { deleted: batch } : { erased: batch }) })
    }
    return messages.map((message) => JSON.stringify(message))
  }

  /** Returns the message about a dropped month, which must be sent like `erasedMessages`. */
  monthDroppedMessage(): string {
    return JSON.stringify({ from: this.#id, month: true } satisfies Message)
  }

  notifyWorkers(): void {
    this.#send(JSON.stringify({ from: this.#id, workers: true } satisfies Message))
  }

  /**
   * Notifies other processes of a distribution. The message is sent immediately, because a
   * distribution already collects the events of several commits.
   */
  notifyDistributed(accountNos: readonly number[], hasDeliveries: boolean): void {
    for (let start = 0; start < accountNos.length; start += idsPerMessageMax) {
      const feeds = accountNos.slice(start, start + idsPerMessageMax)
      this.#send(JSON.stringify({ from: this.#id, feeds, ...(hasDeliveries && { deliveries: true }) } satisfies Message))
    }
  }

  notifyDue(): void {
    this.#isDue = true
    this.#schedule()
  }

  /**
   * Parses a message. Returns null for a message of this process, and for text that cannot be
   * parsed, because a newer version may use another format.
   */
  read(payload: string): ChangeMessage | null {
    try {
      const {
        from,
        ended = [],
        changed = [],
        erased = [],
        deleted = [],
        month,
        attempts = [],
        feeds = [],
        deliveries,
        due,
        workers,
        rules,
      } = JSON.parse(payload) as Message
      if (from === this.#id) return null
      return {
        ended: ended.map((suffix) => idPrefix + suffix),
        changed: changed.map((suffix) => idPrefix + suffix),
        erased: erased.map((suffix) => idPrefix + suffix),
        deleted: deleted.map((suffix) => idPrefix + suffix),
        attempts,
        feeds,
        hasDeliveries: deliveries === true,
        isDue: due === true,
        isMonthDropped: month === true,
        areWorkersChanged: workers === true,
        isConfigChanged: rules === true,
      }
    } catch {
      return null
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#flush()
    }, batchDelayMs)
  }

  #flush(): void {
    const endedIds = this.#ended
    const changedIds = [...this.#changed]
    const attemptIds = this.#attempts
    let isDue = this.#isDue
    this.#ended = []
    this.#changed.clear()
    this.#attempts = []
    this.#isDue = false
    do {
      const ended = endedIds.splice(0, idsPerMessageMax)
      const changed = changedIds.splice(0, idsPerMessageMax - ended.length)
      const attempts = attemptIds.splice(0, idsPerMessageMax)
      const message: Message = {
        from: this.#id,
        ...(ended.length > 0 && { ended }),
        ...(changed.length > 0 && { changed }),
        ...(attempts.length > 0 && { attempts }),
        ...(isDue && { due: true }),
      }
      isDue = false
      this.#send(JSON.stringify(message))
    } while (endedIds.length > 0 || changedIds.length > 0 || attemptIds.length > 0)
  }
}
