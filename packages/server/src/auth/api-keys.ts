import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { insertUnlessExists, valueUnlessExists } from '../db/insert-unless-exists.ts'
import { noExtraStatements, type ExtraStatements, type Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { ApiKeyRow } from '../db/tables/account-tables.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { createApiKeyText, digestOfApiKey } from './api-key.ts'
import { KeyActivities } from './key-activities.ts'
import { PrincipalCache, type Authenticated } from './principal-cache.ts'
import { LocalBucket, type RequestBucket } from './request-bucket.ts'
import { scopes as everyScope, type Scope } from './scopes.ts'

/**
 * The API keys that are not revoked, in memory. A request with a known key is authenticated without
 * a database query. A change by another process takes effect within a second. A key that another
 * process created is valid immediately, because an unknown key is looked up in the database.
 */
export interface ApiKeys extends AsyncDisposable {
  /**
   * Returns the principal of a request to a host of this brand (docs/brands.md), or an `AppError`
   * with the status 401. A key of another brand is treated like an unknown key: the response takes
   * the same time, and the use is not recorded. The result is a promise if the database must be queried. The promise rejects if the query takes
   * too long.
   */
  authenticate(authorization: string | undefined, brandNo: number): Authenticated | Promise<Authenticated>
  /** Like `authenticate`, for a console session, which has only the digest of the secret. */
  authenticateDigest(digest: string, brandNo: number): Authenticated | Promise<Authenticated>
  /**
   * Creates a key. Only the return value contains its secret. Throws the error `conflict` if the
   * request requires a unique name, and the account has a key of this name.
   */
  issueKey(request: KeyRequest, extraStatements?: ExtraStatements): Promise<IssuedKey>
  /**
   * Adds a new secret to a key. The previous secrets expire after `overlapMs` at the latest.
   * Returns undefined if the key does not exist or is revoked.
   */
  rotateKey(keyId: string, overlapMs: number, extraStatements?: ExtraStatements): Promise<IssuedKey | undefined>
  /** Returns false if the key does not exist or is revoked. */
  changeKey(keyId: string, change: KeyChange, extraStatements?: ExtraStatements): Promise<boolean>
  /** Returns false if the key does not exist or is already revoked. */
  revokeKey(keyId: string, extraStatements?: ExtraStatements): Promise<boolean>
  /**
   * Stores the configured key if it is new, grants it all scopes, and revokes all other bootstrap
   * keys of the account.
   */
  ensureBootstrapKey(accountNo: number, key: string): Promise<void>
  reload(): Promise<void>
}

/**
 * Limits of a key. Null means no limit. An absent limit means none for a new key, and no change for
 * an existing one. Amounts of credits are in micro-credits.
 */
export interface KeyLimits {
  /** IDs of the models that the key may use. */
  models?: readonly string[] | null
  requestsPerSecondMax?: number | null
  requestsPerMinuteMax?: number | null
  tokensPerMinuteMax?: number | null
  tasksInFlightMax?: number | null
  creditsInFlightMax?: number | null
  spentPerDayMax?: number | null
  spentPerMonthMax?: number | null
}

export interface KeyRequest extends KeyLimits {
  accountNo: number
  name: string
  scopes: readonly Scope[]
  expiresAtMs: number | null
  /** Whether the name must be unique among the account's keys that are not revoked. */
  requiresUniqueName?: boolean
}

export type KeyChange = Partial<Omit<KeyRequest, 'accountNo' | 'requiresUniqueName'>>

export interface IssuedKey {
  id: string
  key: string
}

type KeyRow = Insertable<ApiKeyRow>
type KeyOfAccount = Pick<Selectable<ApiKeyRow>, 'no' | 'account_no'>

const storeActivityIntervalMs = 10_000
const bootstrapKeyName = 'bootstrap'

export type KeyStore = Pick<Store, 'database' | 'isShared' | 'writeAtomically' | 'onConfigChanged' | 'recordKeyUses'>

/** `bucketOf` returns the rate limiter's bucket of a key. Default: buckets of this thread. */
export async function createApiKeys(
  store: KeyStore,
  clock: Clock,
  bucketOf: (keyNo: number) => RequestBucket = () => new LocalBucket(),
): Promise<ApiKeys> {
  const { database } = store
  const activities = new KeyActivities(bucketOf)
  const principals = await PrincipalCache.open(store, clock, activities)
  const reload = (): Promise<void> => principals.reload()

  /** Returns the statement that adds a secret to a key, unless the key is revoked. */
  function insertSecretStatement(keyId: string, key: string): Statement {
    return database
      .insertInto('api_key_secrets')
      .columns(['key_no', 'digest', 'created_at'])
      .expression(
        database
          .selectFrom('api_keys')
          .select((builder) => ['no', builder.val(digestOfApiKey(key)).as('digest'), builder.val(clock()).as('created_at')])
          .where('id', '=', keyId)
          .where('revoked_at', 'is', null),
      )
      .compile()
  }

  async function insert(
    key: string,
    { accountNo, requiresUniqueName = false, ...request }: KeyRequest,
    extraStatements: ExtraStatements = noExtraStatements,
  ): Promise<string> {
    const id = `key_${randomUUID().replaceAll('-', '')}`
    const row = { id, account_no: accountNo, name: request.name, scopes: '[]', ...columnsOf(request), created_at: clock() }
    if (requiresUniqueName) await insertWithUniqueName(row, [insertSecretStatement(id, key), ...extraStatements(id)])
    else
      await store.writeAtomically(
        database.insertInto('api_keys').values(row).compile(),
        insertSecretStatement(id, key),
        ...extraStatements(id),
      )
    await reload()
    return id
  }

  async function insertWithUniqueName(row: KeyRow, otherStatements: readonly Statement[]): Promise<void> {
    const keysOfSameName = database
      .selectFrom('api_keys')
      .select('id')
      .where('account_no', '=', row.account_no)
      .where('name', '=', row.name)
      .where('revoked_at', 'is', null)
    // Locks the account, so that the next statement sees the keys of concurrent requests.
    const lock = database
      .updateTable('accounts')
      .set((account) => ({ name: account.ref('name') }))
      .where('no', '=', row.account_no)
    const insertKey = database.insertInto('api_keys').values({ ...row, name: valueUnlessExists(keysOfSameName, row.name) })
    const existingKey = await insertUnlessExists(keysOfSameName, row.id, () =>
      store.writeAtomically(lock.compile(), insertKey.compile(), ...otherStatements),
    )
    if (existingKey !== undefined)
      throw new AppError('conflict', `The account already has a key with the name ${JSON.stringify(row.name)}.`)
  }

  async function findByKey(key: string): Promise<KeyOfAccount | undefined> {
    return await database
      .selectFrom('api_keys')
      .innerJoin('api_key_secrets', 'api_key_secrets.key_no', 'api_keys.no')
      .select(['api_keys.no', 'api_keys.account_no'])
      .where('digest', '=', digestOfApiKey(key))
      .executeTakeFirst()
  }

  /**
   * If several processes start for the first time simultaneously, one creates the key, and the
   * others find it.
   */
  async function findOrInsertBootstrapKey(accountNo: number, key: string): Promise<KeyOfAccount> {
    const existingKey = await findByKey(key)
    if (existingKey !== undefined) return existingKey
    let cause: unknown
    await insert(key, { accountNo, name: bootstrapKeyName, scopes: everyScope, expiresAtMs: null }).catch(
      (error: unknown) => (cause = error),
    )
    const insertedKey = await findByKey(key)
    if (insertedKey === undefined) throw new Error('the bootstrap key could not be stored', { cause })
    return insertedKey
  }

  async function update(
    keyId: string,
    change: Updateable<ApiKeyRow>,
    extraStatements: ExtraStatements = noExtraStatements,
  ): Promise<boolean> {
    const changeStatement = database.updateTable('api_keys').set(change).where('id', '=', keyId).where('revoked_at', 'is', null)
    const isChanged = await store.writeAtomically(changeStatement.compile(), ...extraStatements(keyId))
    await reload()
    return isChanged
  }

  const storeActivity = (): Promise<void> => activities.store((uses) => store.recordKeyUses(uses))

  const stopListening = store.onConfigChanged(reload)
  // Errors are ignored, because the next interval retries.
  const timer = setInterval(() => void storeActivity().catch(() => undefined), storeActivityIntervalMs)
  timer.unref()

  return {
    authenticate: (authorization = '', brandNo) => principals.authenticate(authorization, brandNo),
    authenticateDigest: (digest, brandNo) => principals.authenticateDigest(digest, brandNo),

    async issueKey(request, extraStatements) {
      const key = createApiKeyText()
      return { id: await insert(key, request, extraStatements), key }
    },

    async rotateKey(keyId, overlapMs, extraStatements = noExtraStatements) {
      const key = createApiKeyText()
      const expiresAtMs = clock() + overlapMs
      const expireOthers = database
        .updateTable('api_key_secrets')
        .set({ expires_at: expiresAtMs })
        .where('key_no', '=', (builder) => builder.selectFrom('api_keys').select('no').where('id', '=', keyId))
        .where('digest', '!=', digestOfApiKey(key))
        .where((builder) => builder.or([builder('expires_at', 'is', null), builder('expires_at', '>', expiresAtMs)]))
      const isRotated = await store.writeAtomically(
        insertSecretStatement(keyId, key),
        expireOthers.compile(),
        ...extraStatements(keyId),
      )
      await reload()
      return isRotated ? { id: keyId, key } : undefined
    },

    changeKey: (keyId, change, extraStatements) => update(keyId, columnsOf(change), extraStatements),
    revokeKey: (keyId, extraStatements) => update(keyId, { revoked_at: clock() }, extraStatements),

    async ensureBootstrapKey(accountNo, key) {
      const bootstrapKey = await findOrInsertBootstrapKey(accountNo, key)
      if (bootstrapKey.account_no !== accountNo) throw new Error('the configured bootstrap key belongs to another account')
      await database
        .updateTable('api_keys')
        .set({ revoked_at: clock() })
        .where('account_no', '=', accountNo)
        .where('name', '=', bootstrapKeyName)
        .where('no', '!=', bootstrapKey.no)
        .where('revoked_at', 'is', null)
        .execute()
      // The configuration takes precedence: if a replaced key is configured again, it becomes valid
      // again.
      await database
        .updateTable('api_keys')
        .set({ name: bootstrapKeyName, scopes: JSON.stringify(everyScope), expires_at: null, revoked_at: null })
        .where('no', '=', bootstrapKey.no)
        .execute()
      await database.updateTable('api_key_secrets').set({ expires_at: null }).where('digest', '=', digestOfApiKey(key)).execute()
      await reload()
    },

    reload,

    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopListening()
      await principals.untilLoaded()
      await storeActivity().catch(() => undefined)
    },
  }
}

/** Returns the columns for the given fields. */
function columnsOf(change: KeyChange) {
  const { name, scopes, models, expiresAtMs, requestsPerSecondMax, tasksInFlightMax, creditsInFlightMax } = change
  const { spentPerDayMax, spentPerMonthMax, requestsPerMinuteMax, tokensPerMinuteMax } = change
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: JSON.stringify(scopes) }),
    ...(models !== undefined && { models: models && JSON.stringify(models) }),
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
    ...(requestsPerSecondMax !== undefined && { requests_per_second_max: requestsPerSecondMax }),
    ...(requestsPerMinuteMax !== undefined && { requests_per_minute_max: requestsPerMinuteMax }),
    ...(tokensPerMinuteMax !== undefined && { tokens_per_minute_max: tokensPerMinuteMax }),
    ...(tasksInFlightMax !== undefined && { tasks_in_flight_max: tasksInFlightMax }),
    ...(creditsInFlightMax !== undefined && { credits_in_flight_max: creditsInFlightMax }),
    ...(spentPerDayMax !== undefined && { spent_per_day_max: spentPerDayMax }),
    ...(spentPerMonthMax !== undefined && { spent_per_month_max: spentPerMonthMax }),
  }
}
