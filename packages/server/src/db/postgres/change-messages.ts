/** PostgreSQL takes 8,000 bytes at most. */
const idsPerMessageMax = 100
/** What several commits have to tell goes in one message: every message costs the database a lock that all share. */
const gatherMs = 10

/** What processes tell one another, as hints: whoever misses one finds out by looking. */
interface Message {
  /** The process that speaks. */
  from?: string
  /** Tasks that have ended, without their prefix. */
  ended?: string[]
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
  #news: string[] = []
  #isDue = false
  #timer: NodeJS.Timeout | null = null

  constructor(id: string, send: (payload: string) => void) {
    this.#id = id
    this.#send = send
  }

  tellEnded(taskId: string): void {
    this.#ended.push(taskId.slice(idPrefix.length))
    this.#schedule()
  }

  tellNews(attemptId: string): void {
    this.#news.push(attemptId)
    this.#schedule()
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
      const { from, ended = [], news = [], due, workers, rules } = JSON.parse(payload) as Message
      if (from === this.#id) return null
      return {
        ended: ended.map((rest) => idPrefix + rest),
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
    const news = this.#news
    const isDue = this.#isDue
    this.#ended = []
    this.#news = []
    this.#isDue = false
    for (let first = 0; first === 0 || first < Math.max(ended.length, news.length); first += idsPerMessageMax) {
      const part = ended.slice(first, first + idsPerMessageMax)
      const newsPart = news.slice(first, first + idsPerMessageMax)
      const message: Message = {
        from: this.#id,
        ...(part.length > 0 && { ended: part }),
        ...(newsPart.length > 0 && { news: newsPart }),
        ...(isDue && first === 0 && { due: true }),
      }
      this.#send(JSON.stringify(message))
    }
  }
}
