import type { KeyActivity } from './principal.ts'
import type { RequestBucket } from './request-bucket.ts'

/** The activities of all keys that were loaded. A key keeps its activity when it is reloaded. */
export class KeyActivities {
  readonly #activitiesByKeyNo = new Map<number, KeyActivity>()
  readonly #bucketOf: (keyNo: number) => RequestBucket

  constructor(bucketOf: (keyNo: number) => RequestBucket) {
    this.#bucketOf = bucketOf
  }

  of(keyNo: number, storedUsedAtMs: number | null): KeyActivity {
    const knownActivity = this.#activitiesByKeyNo.get(keyNo)
    if (knownActivity !== undefined) return knownActivity
    const activity = { usedAtMs: storedUsedAtMs ?? 0, storedUsedAtMs: storedUsedAtMs ?? 0, bucket: this.#bucketOf(keyNo) }
    this.#activitiesByKeyNo.set(keyNo, activity)
    return activity
  }

  /** Stores the uses since the last call. */
  async store(storeUses: (uses: (readonly [keyNo: number, usedAtMs: number])[]) => Promise<void>): Promise<void> {
    const unstoredActivities = [...this.#activitiesByKeyNo].filter(([, activity]) => activity.usedAtMs > activity.storedUsedAtMs)
    if (unstoredActivities.length === 0) return
    await storeUses(unstoredActivities.map(([keyNo, activity]) => [keyNo, activity.usedAtMs] as const))
    for (const [, activity] of unstoredActivities) activity.storedUsedAtMs = activity.usedAtMs
  }
}
