import type { Store } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { digestOfApiKey } from './api-key.ts'
import type { KeyActivities } from './key-activities.ts'
import { KeyLookups } from './key-lookups.ts'
import { loadPrincipals } from './load-principals.ts'
import type { Principal } from './principal.ts'
import { readBearer } from './read-bearer.ts'

/**
 * Maximum number of Authorization headers in the cache, which avoids hashing a known key again. The
 * cache is cleared when it is full and when any key changes. It holds only headers of the form
 * `Bearer KEY` with one space, because other forms have no length limit.
 */
const knownHeadersMax = 10_000
const bearerCharacters = 'Bearer '.length

export type Authenticated = Principal | AppError

/** The principals of all keys that are not revoked, in memory. */
export class PrincipalCache {
  readonly #store: Pick<Store, 'database' | 'isShared'>
  readonly #clock: Clock
  readonly #activities: KeyActivities
  #principalsByDigest: Map<string, Principal>
  readonly #principalsByHeader = new Map<string, Principal>()
  readonly #loading = new SerialQueue()
  // Lookups and full reloads run one after another. Otherwise a lookup that read a key before its
  // revocation could store the principal after a reload had removed it.
  readonly #lookups = new KeyLookups((digests) =>
    this.#loading.run(async () => {
      for (const [digest, principal] of await loadPrincipals(this.#store.database, this.#activities, digests))
        this.#principalsByDigest.set(digest, principal)
    }),
  )

  private constructor(
    store: Pick<Store, 'database' | 'isShared'>,
    clock: Clock,
    activities: KeyActivities,
    principalsByDigest: Map<string, Principal>,
  ) {
    this.#store = store
    this.#clock = clock
    this.#activities = activities
    this.#principalsByDigest = principalsByDigest
  }

  static async open(
    store: Pick<Store, 'database' | 'isShared'>,
    clock: Clock,
    activities: KeyActivities,
  ): Promise<PrincipalCache> {
    return new PrincipalCache(store, clock, activities, await loadPrincipals(store.database, activities))
  }

  /** See `ApiKeys.authenticate`. */
  authenticate(authorization: string, brandNo: number): Authenticated | Promise<Authenticated> {
    const result = this.#find(authorization, brandNo)
    return result instanceof Promise ? result.then((found) => this.#recordUse(found)) : this.#recordUse(result)
  }

  /** See `ApiKeys.authenticateDigest`. */
  authenticateDigest(digest: string, brandNo: number): Authenticated | Promise<Authenticated> {
    const result = this.#findOrLookUp(digest, null, brandNo)
    return result instanceof Promise ? result.then((found) => this.#recordUse(found)) : this.#recordUse(result)
  }

  reload(): Promise<void> {
    return this.#loading.run(async () => {
      this.#principalsByDigest = await loadPrincipals(this.#store.database, this.#activities)
      this.#principalsByHeader.clear()
    })
  }

  /** Resolves when no load is in progress. */
  async untilLoaded(): Promise<void> {
    await this.#loading.untilSettled()
  }

  #find(authorization: string, brandNo: number): Authenticated | Promise<Authenticated> {
    const knownPrincipal = this.#principalsByHeader.get(authorization)
    if (knownPrincipal?.brandNo === brandNo) return knownPrincipal
    const key = readBearer(authorization)
    if (key instanceof AppError) return key
    const digest = digestOfApiKey(key)
    const header = authorization.length === bearerCharacters + key.length ? authorization : null
    return this.#findOrLookUp(digest, header, brandNo)
  }

  #findOrLookUp(digest: string, header: string | null, brandNo: number): Authenticated | Promise<Authenticated> {
    const result = this.#findDigest(digest, header, brandNo)
    if (!(result instanceof AppError) || !this.#store.isShared || this.#lookups.isCachedAsAbsent(digest)) return result
    return this.#lookups.load(digest).then(() => {
      const loadedResult = this.#findDigest(digest, header, brandNo)
      if (loadedResult instanceof AppError) this.#lookups.cacheAbsence(digest)
      return loadedResult
    })
  }

  #findDigest(digest: string, header: string | null, brandNo: number): Authenticated {
    const principal = this.#principalsByDigest.get(digest)
    if (principal?.brandNo !== brandNo) return new AppError('invalid_api_key', 'This API key is not valid.')
    if (header === null) return principal
    if (this.#principalsByHeader.size >= knownHeadersMax) this.#principalsByHeader.clear()
    this.#principalsByHeader.set(header, principal)
    return principal
  }

  #recordUse(principal: Authenticated): Authenticated {
    if (principal instanceof AppError) return principal
    const nowMs = this.#clock()
    if (principal.expiresAtMs !== null && principal.expiresAtMs <= nowMs) {
      return new AppError('invalid_api_key', 'This API key has expired.')
    }
    principal.activity.usedAtMs = nowMs
    return principal
  }
}
