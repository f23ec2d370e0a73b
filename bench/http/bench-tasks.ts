import type { Store } from '../../packages/server/src/db/store.ts'
import type { Lease } from '../../packages/server/src/db/task-queue.ts'
import { claimEmbedded } from '../../packages/server/src/db/store-under-test.ts'
import { taskIdOf } from '../../packages/server/src/identity/task-id.ts'

const leaseMs = 3_600_000
const seconds = 8

/** Creates tasks in the states that the benchmark polls, without a driver. */
export class BenchTasks {
  readonly #store: Store
  readonly #nextId: () => string
  readonly #leases = new Map<string, Lease>()

  constructor(store: Store) {
    this.#store = store
    this.#nextId = store.createTaskIds(Date.now)
  }

  /** Adds running tasks to an account. Returns their ids. */
  async run(accountNo: number, count: number): Promise<string[]> {
    const ids = await this.#queue(accountNo, count)
    // A claim may return fewer tasks than are queued.
    while (ids.some((id) => !this.#leases.has(id))) {
      const claims = await claimEmbedded(this.#store, count, leaseMs)
      for (const { id, fence } of claims) this.#leases.set(id, { id, fence })
      await this.#store.renew(
        claims.map(({ id, fence }) => ({ id, fence, progress: 40 })),
        leaseMs,
      )
    }
    return ids
  }

  /**
   * Claims tasks one after the other. Returns the duration of each claim in milliseconds. The tasks
   * stay claimed.
   */
  async claimTimes(accountNo: number, count: number): Promise<number[]> {
    await this.#queue(accountNo, count)
    const times: number[] = []
    for (let claimed = 0; claimed < count; claimed++) {
      const startedAt = performance.now()
      const claims = await claimEmbedded(this.#store, 1, leaseMs)
      times.push(performance.now() - startedAt)
      if (claims.length !== 1) throw new Error(`a claim returned ${claims.length} tasks instead of one`)
    }
    return times
  }

  async complete(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#complete(id)))
  }

  /** Ends all open tasks, so that the next round starts with an empty queue. */
  async cancelAll(): Promise<number> {
    const { database } = this.#store
    const rows = await database.selectFrom('tasks').select(['no', 'tail']).where('ended_at', 'is', null).execute()
    await Promise.all(rows.map(({ no, tail }) => this.#store.cancel(taskIdOf(no, tail))))
    return rows.length
  }

  async #queue(accountNo: number, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, this.#nextId)
    await Promise.all(ids.map((id) => this.#accept(accountNo, id)))
    return ids
  }

  async #accept(accountNo: number, id: string): Promise<void> {
    const outcome = await this.#store.accept({
      id,
      accountNo,
      keyNo: null,
      model: 'vidDq3-turbo',
      object: 'video',
      parameters: JSON.stringify({ seconds, seed: 1, prompt: 'a cat walks on a beach at sunset' }),
      images: null,
      priceMicroCredits: 800_000,
      priceNo: null,
      modelVersionNo: null,
      delayMs: 0,
      lane: 0,
      idempotency: null,
    })
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
  }

  async #complete(id: string): Promise<void> {
    const lease = this.#leases.get(id)
    if (lease === undefined) throw new Error(`${id} is not running`)
    await this.#store.complete(
      lease,
      [
        {
          objectKey: `${id}.mp4`,
          contentType: 'video/mp4',
          sizeBytes: 1_000_000,
          sha256: '0'.repeat(64),
          width: 1280,
          height: 720,
          durationMs: seconds * 1000,
          seed: 1,
          expiresAtMs: Date.now() + leaseMs,
          removed: false,
        },
      ],
      800_000,
    )
  }
}
