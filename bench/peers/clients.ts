import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { bodyOf } from './request-texts.ts'
import type { Gateway, Side } from './side.ts'

const concurrency = 64
const responseMsMax = 30_000

/** A client's task. `id` is null until a submit has succeeded. */
export interface ClientTask {
  number: number
  id: string | null
  status: string
}

/**
 * Clients that submit tasks and poll them, as HTTP clients do: each knows only the responses that
 * it has received. A retried submit has the same body and the same `Idempotency-Key`.
 */
export class Clients implements AsyncDisposable {
  readonly #side: Side
  readonly #gateway: Gateway
  readonly #pool: Pool

  constructor(side: Side, gateway: Gateway) {
    this.#side = side
    this.#gateway = gateway
    const origin = `http://127.0.0.1:${gateway.port}`
    this.#pool = new Pool(origin, { connections: concurrency, headersTimeout: responseMsMax, bodyTimeout: responseMsMax })
  }

  /**
   * Submits all tasks that have no id yet, until `shouldContinue` returns false after a submit. A
   * failed submit leaves its task without an id.
   */
  async submit(tasks: readonly ClientTask[], shouldContinue: () => boolean = () => true): Promise<void> {
    const { video } = this.#side
    let isStopped = false
    await this.#forEach(
      tasks.filter(({ id }) => id === null),
      async (task) => {
        if (isStopped) return
        const headers = ['content-type: application/json', `idempotency-key: bench-${task.number}`]
        const created = await this.#call('POST', video.path, headers, bodyOf(video, `number ${task.number}`))
        if (typeof created?.['id'] === 'string') task.id = created['id']
        if (!shouldContinue()) isStopped = true
      },
    )
  }

  /** Polls the tasks that have an id until each has ended, or until the time limit. */
  async follow(tasks: readonly ClientTask[], msMax: number): Promise<void> {
    const endsAt = performance.now() + msMax
    let open = tasks.filter(({ id }) => id !== null)
    while (open.length > 0 && performance.now() < endsAt) {
      await this.#forEach(open, async (task) => {
        const polledTask = await this.#call('GET', this.#side.pollPath(task.id ?? ''), [])
        if (typeof polledTask?.['status'] === 'string') task.status = polledTask['status']
      })
      open = open.filter(({ status }) => status !== 'completed' && status !== 'failed')
      await sleep(100)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy()
  }

  /** Returns the response, or null if it is an error or did not arrive. */
  async #call(method: 'GET' | 'POST', path: string, extraHeaders: readonly string[], body?: string) {
    const lines = [`authorization: Bearer ${this.#gateway.key}`, ...(this.#gateway.headers ?? []), ...extraHeaders]
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)))
    try {
      const response = await this.#pool.request({ method, path, headers, body: body ?? null })
      const text = await response.body.text()
      return response.statusCode < 300 ? (JSON.parse(text) as Record<string, unknown>) : null
    } catch {
      return null
    }
  }

  async #forEach(tasks: readonly ClientTask[], work: (task: ClientTask) => Promise<void>): Promise<void> {
    const remainingTasks = tasks.values()
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const task of remainingTasks) await work(task)
      }),
    )
  }
}

export function newClientTasks(count: number): ClientTask[] {
  return Array.from({ length: count }, (_, number) => ({ number, id: null, status: 'unknown' }))
}
