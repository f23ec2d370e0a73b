/** Of tasks, and as many of attempts: PostgreSQL takes 8,000 bytes at most. */
const idsPerMessageMax = 100
/** What several commits have to tell goes in one message: every message costs the database a lock that all share. */
const gatherMs = 10

/** What processes tell one another, as hints: whoever misses one finds out by looking. */
interface Message {
  /** The process that speaks. */
  from?: string
  /** Tasks that have ended, without their prefix. */
  ended?: string[]
  /** Tasks of which a client can see that their status or progress has changed, without their prefix. */
  changed?: string[]
  /** Tasks whose prompt was removed, and tasks that were deleted, without their prefix. */
  erased?: string[]
  deleted?: string[]
  /** Attempts of which an upstream has news. */
  news?: string[]
  /** There may be something to claim. */
  due?: true
  /** A process has joined those that work, or leaves them. */
  workers?: true
  /** Keys, accounts, brands, prices or routes were changed. */
  rules?: true
}

export interface Heard {
  ended: string[]
  changed: string[]
  erased: string[]
  deleted: string[]
  news: string[]
  isDue: boolean
  areRulesChanged: boolean
  areWorkersChanged: boolean
}

const idPrefix = 'task_'

/** Gathers what this process has to tell, and reads what others do. */
export class ChangeMessages {
  readonly #id: string
  readonly #send: (payload: string) => void
  #ended: string[] = []
  readonly #changed = new Set<string>()
  #news: string[] = []
  #isDue = false
  #timer: NodeJS.Timeout | null = null

  constructor(id: string, send: (payload: string) => void) {
    this.#id = id
    this.#send = send
  }

  tellEnded(taskId: string): void {
    const id = taskId.slice(idPrefix.length)
    this.#ended.push(id)
    this.#changed.delete(id)
    this.#schedule()
  }

  /** It goes on. */
  tellChanged(taskId: string): void {
    this.#changed.add(taskId.slice(idPrefix.length))
    this.#schedule()
  }

  tellNews(attemptId: string): void {
    this.#news.push(attemptId)
    this.#schedule()
  }

  /** At once: until then other processes may show what they remember of them. */
  tellErased(taskIds: readonly string[], isDeletion: boolean): void {
    for (let first = 0; first < taskIds.length; first += idsPerMessageMax) {
      const part = taskIds.slice(first, first + idsPerMessageMax).map((id) => id.slice(idPrefix.length))
      this.#send(JSON.stringify({ from: this.#id, ...(isDeletion ? { deleted: part } : { erased: part }) } satisfies Message))
    }
  }

  tellWorkers(): void {
    this.#send(JSON.stringify({ from: this.#id, workers: true } satisfies Message))
  }

  tellDue(): void {
    this.#isDue = true
    this.#schedule()
  }

  /** Null for what this process has said itself, and for what is not understood: a newer version may say more. */
  read(payload: string): Heard | null {
    try {
      const {
        from,
        ended = [],
        changed = [],
        erased = [],
        deleted = [],
        news = [],
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
        news,
        isDue: due === true,
        areWorkersChanged: workers === true,
        areRulesChanged: rules === true,
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
    }, gatherMs)
  }

  #flush(): void {
    const ended = this.#ended
    const changed = [...this.#changed]
    const news = this.#news
    let isDue = this.#isDue
    this.#ended = []
    this.#changed.clear()
    this.#news = []
    this.#isDue = false
    do {
      const endedPart = ended.splice(0, idsPerMessageMax)
      const changedPart = changed.splice(0, idsPerMessageMax - endedPart.length)
      const newsPart = news.splice(0, idsPerMessageMax)
      const message: Message = {
        from: this.#id,
        ...(endedPart.length > 0 && { ended: endedPart }),
        ...(changedPart.length > 0 && { changed: changedPart }),
        ...(newsPart.length > 0 && { news: newsPart }),
        ...(isDue && { due: true }),
      }
      isDue = false
      this.#send(JSON.stringify(message))
    } while (ended.length > 0 || changed.length > 0 || news.length > 0)
  }
}
