/**
 * Maximum number of task ids in a message, and of attempt ids. PostgreSQL accepts at most 8,000
 * bytes.
 */
const idsPerMessageMax = 100
/**
 * Time in which the changes of several commits are collected into one message. Every message costs
 * the database a lock that all processes share.
 */
const batchDelayMs = 10

/**
 * A notification between processes. It is a hint: a process that misses one finds the change by
 * polling.
 */
interface Message {
  /** The process that sends it. */
  from?: string
  /** Ended tasks, without their prefix. */
  ended?: string[]
  /** Tasks whose status or progress has changed for a client, without their prefix. */
  changed?: string[]
  /** Tasks whose prompt was removed, and tasks that were deleted, without their prefix. */
  erased?: string[]
  deleted?: string[]
  /** Attempts for which an upstream has reported a change. */
  attempts?: string[]
  /** Accounts whose events were distributed. */
  feeds?: number[]
  /** There may be something to deliver to a webhook. */
  deliveries?: true
  /** There may be something to claim. */
  due?: true
  /** A process has joined the workers or leaves them. */
  workers?: true
  /** Keys, accounts, brands, prices or routes were changed. */
  rules?: true
}

export interface ChangeMessage {
  ended: string[]
  changed: string[]
  erased: string[]
  deleted: string[]
  attempts: string[]
  feeds: number[]
  hasDeliveries: boolean
  isDue: boolean
  isConfigChanged: boolean
  areWorkersChanged: boolean
}

const idPrefix = 'task_'

/** Collects the notifications of this process, and reads those of others. */
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

  /** The task has changed without ending. */
  notifyChanged(taskId: string): void {
    this.#changed.add(taskId.slice(idPrefix.length))
    this.#schedule()
  }

  notifyAttempt(attemptId: string): void {
    this.#attempts.push(attemptId)
    this.#schedule()
  }

  /**
   * Sent at once, because other processes may show the content from memory until they receive it.
   */
  notifyErased(taskIds: readonly string[], isDeletion: boolean): void {
    for (let first = 0; first < taskIds.length; first += idsPerMessageMax) {
      const part = taskIds.slice(first, first + idsPerMessageMax).map((id) => id.slice(idPrefix.length))
      this.#send(JSON.stringify({ from: this.#id, ...(isDeletion ? { deleted: part } : { erased: part }) } satisfies Message))
    }
  }

  notifyWorkers(): void {
    this.#send(JSON.stringify({ from: this.#id, workers: true } satisfies Message))
  }

  /** Sent at once: a distribution has collected the events of several commits already. */
  notifyDistributed(accountNos: readonly number[], hasDeliveries: boolean): void {
    for (let first = 0; first < accountNos.length; first += idsPerMessageMax) {
      const feeds = accountNos.slice(first, first + idsPerMessageMax)
      this.#send(JSON.stringify({ from: this.#id, feeds, ...(hasDeliveries && { deliveries: true }) } satisfies Message))
    }
  }

  notifyDue(): void {
    this.#isDue = true
    this.#schedule()
  }

  /**
   * Null for a notification of this process, and for an unknown one: a newer version may send more
   * kinds.
   */
  read(payload: string): ChangeMessage | null {
    try {
      const {
        from,
        ended = [],
        changed = [],
        erased = [],
        deleted = [],
        attempts = [],
        feeds = [],
        deliveries,
        due,
        workers,
        rules,
      } = JSON.parse(payload) as Message
      if (from === this.#id) return null
      return {
        ended: ended.map((rest) => idPrefix + rest),
        changed: changed.map((rest) => idPrefix + rest),
        erased: erased.map((rest) => idPrefix + rest),
        deleted: deleted.map((rest) => idPrefix + rest),
        attempts,
        feeds,
        hasDeliveries: deliveries === true,
        isDue: due === true,
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
    const ended = this.#ended
    const changed = [...this.#changed]
    const attempts = this.#attempts
    let isDue = this.#isDue
    this.#ended = []
    this.#changed.clear()
    this.#attempts = []
    this.#isDue = false
    do {
      const endedPart = ended.splice(0, idsPerMessageMax)
      const changedPart = changed.splice(0, idsPerMessageMax - endedPart.length)
      const attemptsPart = attempts.splice(0, idsPerMessageMax)
      const message: Message = {
        from: this.#id,
        ...(endedPart.length > 0 && { ended: endedPart }),
        ...(changedPart.length > 0 && { changed: changedPart }),
        ...(attemptsPart.length > 0 && { attempts: attemptsPart }),
        ...(isDue && { due: true }),
      }
      isDue = false
      this.#send(JSON.stringify(message))
    } while (ended.length > 0 || changed.length > 0 || attempts.length > 0)
  }
}
