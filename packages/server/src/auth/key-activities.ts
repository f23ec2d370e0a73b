import type { KeyActivity } from './principal.ts'
import type { RequestBucket } from './request-bucket.ts'

/** The activities of all keys that were loaded, by number. A key keeps its activity at a reload. */
export class KeyActivities {
  readonly #byKey = new Map<number, KeyActivity>()
  readonly #bucketOf: (keyNo: number) => RequestBucket

  constructor(bucketOf: (keyNo: number) => RequestBucket) {
    this.#bucketOf = bucketOf
  }

  of(keyNo: number, lastUsedMs: number | null): KeyActivity {
    const existing = this.#byKey.get(keyNo)
    if (existing !== undefined) return existing
    const activity = { atMs: lastUsedMs ?? 0, storedMs: lastUsedMs ?? 0, bucket: this.#bucketOf(keyNo) }
    this.#byKey.set(keyNo, activity)
    return activity
  }

  /** Stores the uses since the last call. */
  async store(storeUses: (uses: (readonly [keyNo: number, atMs: number])[]) => Promise<void>): Promise<void> {
    const unstoredActivities = [...this.#byKey].filter(([, activity]) => activity.atMs > activity.storedMs)
    if (unstoredActivities.length === 0) return
    await storeUses(unstoredActivities.map(([keyNo, activity]) => [keyNo, activity.atMs] as const))
    for (const [, activity] of unstoredActivities) activity.storedMs = activity.atMs
  }
}
