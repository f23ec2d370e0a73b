import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'

/** A session ends after this time without requests. */
const idleMsMax = 12 * 3_600_000
/** Maximum duration of a session. */
const ageMsMax = 7 * 24 * 3_600_000
/** Time for which sensitive requests are allowed after the API key was entered. */
const confirmedForMs = 10 * 60_000
/** The time of the last request is stored only if the stored time is older than this. */
const usedAtPrecisionMs = 60_000
/**
 * Maximum number of sessions with the same secret. A further session ends the least recently used
 * one.
 */
const sessionsPerSecretMax = 50
/** Time after which `isOpen` queries an open session again. */
const openQueryIntervalMs = 1_000
const tokenBytes = 32
const tokenPattern = /^[\w-]{43}\.[\w-]{43}$/

export interface ConsoleSession {
  /** Identifies the session in the database. */
  readonly digest: string
  /** Digest of the API key's secret that authenticates the session. */
  readonly secretDigest: string
  /** Time until which sensitive requests are allowed without entering the API key again. */
  readonly confirmedUntilMs: number
  /**
   * Returns whether the session is still open. This does not count as use of the session. The end
   * of a session by another process takes effect within a second.
   */
  isOpen(): Promise<boolean>
}

export interface NewConsoleSession extends Pick<ConsoleSession, 'confirmedUntilMs'> {
  /** The browser stores the token in a cookie. */
  token: string
}

/**
 * Sessions of the console. The browser stores a random token, and the database its digest. Each
 * token contains a MAC, so a forged token is rejected without a query.
 */
export interface ConsoleSessions {
  /** Begins a session. `isConfirmed`: the user entered the API key, not the code of a link. */
  begin(secretDigest: string, isConfirmed: boolean): Promise<NewConsoleSession>
  /** Returns null if the token is forged or the session has ended. */
  find(token: string): Promise<ConsoleSession | null>
  /** Records that the API key was entered again. Returns the new `confirmedUntilMs`. */
  confirm(session: ConsoleSession): Promise<number>
  end(session: ConsoleSession): Promise<void>
}

/** `key` authenticates the tokens. All processes of an installation share it. */
export function createConsoleSessions({ database }: Pick<Store, 'database'>, key: Buffer, clock: Clock): ConsoleSessions {
  const macKey = createHmac('sha256', key).update('console sessions').digest()
  const macOf = (random: string): Buffer => createHmac('sha256', macKey).update(random).digest()

  /** Number of times that this process has ended sessions. */
  let endingCount = 0

  async function deleteSessions(digests: readonly string[]): Promise<void> {
    await database.deleteFrom('console_sessions').where('digest', 'in', digests).execute()
    endingCount++
  }

  async function endOldSessions(secretDigest: string): Promise<void> {
    const nowMs = clock()
    await database
      .deleteFrom('console_sessions')
      .where((builder) => builder.or([builder('used_at', '<', nowMs - idleMsMax), builder('created_at', '<', nowMs - ageMsMax)]))
      .execute()
    const surplusSessions = await database
      .selectFrom('console_sessions')
      .select('digest')
      .where('secret_digest', '=', secretDigest)
      .orderBy('used_at', 'desc')
      .offset(sessionsPerSecretMax - 1)
      .limit(sessionsPerSecretMax)
      .execute()
    if (surplusSessions.length === 0) return
    await deleteSessions(surplusSessions.map(({ digest }) => digest))
  }

  async function findOpen(digest: string) {
    const row = await database.selectFrom('console_sessions').selectAll().where('digest', '=', digest).executeTakeFirst()
    const nowMs = clock()
    return row === undefined || row.used_at < nowMs - idleMsMax || row.created_at < nowMs - ageMsMax ? undefined : row
  }

  /**
   * Creates the `isOpen` of a session. A stream calls it before each event, so an open session is
   * queried at most once a second, unless this process has ended a session meanwhile.
   */
  function createIsOpen(digest: string): () => Promise<boolean> {
    let queried = { untilMs: -Infinity, endingCount: 0 }
    return async () => {
      if (performance.now() < queried.untilMs && queried.endingCount === endingCount) return true
      const query = { untilMs: performance.now() + openQueryIntervalMs, endingCount }
      if ((await findOpen(digest)) === undefined) return false
      queried = query
      return true
    }
  }

  return {
    async begin(secretDigest, isConfirmed) {
      await endOldSessions(secretDigest)
      const random = randomBytes(tokenBytes).toString('base64url')
      const nowMs = clock()
      const confirmedAtMs = isConfirmed ? nowMs : null
      await database
        .insertInto('console_sessions')
        .values({
          digest: hash('sha256', random, 'base64url'),
          secret_digest: secretDigest,
          created_at: nowMs,
          used_at: nowMs,
          confirmed_at: confirmedAtMs,
        })
        .execute()
      return {
        token: `${random}.${macOf(random).toString('base64url')}`,
        confirmedUntilMs: confirmedUntil(confirmedAtMs),
      }
    },

    async find(token) {
      if (!tokenPattern.test(token)) return null
      const [random = '', mac = ''] = token.split('.')
      if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(random))) return null
      const digest = hash('sha256', random, 'base64url')
      const row = await findOpen(digest)
      if (row === undefined) return null
      const nowMs = clock()
      if (row.used_at < nowMs - usedAtPrecisionMs) {
        await database.updateTable('console_sessions').set({ used_at: nowMs }).where('digest', '=', digest).execute()
      }
      return {
        digest,
        secretDigest: row.secret_digest,
        confirmedUntilMs: confirmedUntil(row.confirmed_at),
        isOpen: createIsOpen(digest),
      }
    },

    async confirm({ digest }) {
      const nowMs = clock()
      await database.updateTable('console_sessions').set({ confirmed_at: nowMs }).where('digest', '=', digest).execute()
      return confirmedUntil(nowMs)
    },

    end: ({ digest }) => deleteSessions([digest]),
  }
}

function confirmedUntil(confirmedAtMs: number | null): number {
  return (confirmedAtMs ?? -Infinity) + confirmedForMs
}
