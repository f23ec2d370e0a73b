import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isSerializationFailure } from './connections.ts'
import { isLockTimeout } from './lock-timeout.ts'

const migrationsFolder = new URL('../../../migrations/postgres/', import.meta.url)
const namePattern = /^(\d{4})-[a-z0-9-]+\.sql$/
/** Advisory lock of the process that migrates this database. The number is "migr" in ASCII. */
const migrationLock = 0x6d696772

/** Removes the time limit of transactions, which exists since PostgreSQL 17. */
const noTransactionTimeoutSql = `
  select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null`

/** Maximum number of attempts to apply a migration that deadlocks. */
const deadlocksMax = 5
/**
 * Maximum time for which a migration waits for a lock. Writes of running processes wait behind it.
 * These processes tolerate a longer wait than this.
 */
const lockTimeoutMs = 3_000
/** Pause after a lock timeout, in which the running processes can write. */
const lockPauseMs = 5_000

interface Migration {
  number: number
  name: string
}

export interface MigrationResult {
  /** Names of the applied migrations, in order. */
  applied: string[]
  /** Names of the migrations of a newer version, which this version does not know. */
  unknown: string[]
}

export type OnBlocked = (migration: string) => void

/**
 * Applies every migration that is missing in the database, in order, each in a transaction of its
 * own. If several processes start at the same time, one of them migrates and the others wait. A
 * database that a newer version has migrated stays usable, because a migration only adds what older
 * versions need not know (docs/decisions/0013). While a long transaction, such as pg_dump, holds a
 * lock that a migration needs, the migration is retried. `onBlocked` is called once with the name of
 * each such migration.
 */
export async function migrate(client: pg.Client, onBlocked: OnBlocked = () => {}): Promise<MigrationResult> {
  // The timeouts of the database role are meant for requests. A migration may take longer, and so may
  // the wait for another process that migrates.
  await client.query('set statement_timeout = 0')
  await client.query('set lock_timeout = 0')
  await client.query(noTransactionTimeoutSql)
  await client.query('select pg_advisory_lock($1)', [migrationLock])
  try {
    await client.query('reset lock_timeout')
    await client.query(
      'create table if not exists migrations (number bigint primary key, name text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<Migration>('select number, name from migrations order by number')
    const migrations = listMigrations()
    const appliedMigrations: string[] = []
    for (const { number, name } of migrations) {
      if (rows.some((row) => row.number === number)) continue
      await apply(client, { number, name }, onBlocked)
      appliedMigrations.push(name)
    }
    const unknownMigrations = rows.filter(({ number }) => !migrations.some((migration) => migration.number === number))
    return { applied: appliedMigrations, unknown: unknownMigrations.map(({ name }) => name) }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
  }
}

/** Returns the names of the migrations that `migrate` would apply. */
export async function findMissing(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>("select to_regclass('migrations') is not null as exists")
  const { rows } = tables[0]?.exists ? await client.query<Migration>('select number, name from migrations') : { rows: [] }
  return listMigrations().flatMap(({ number, name }) => (rows.some((row) => row.number === number) ? [] : [name]))
}

async function apply(client: pg.Client, { number, name }: Migration, onBlocked: OnBlocked): Promise<void> {
  let isBlocked = false
  for (let deadlockCount = 0; ;) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
      await client.query(readFileSync(new URL(name, migrationsFolder), 'utf8'))
      await client.query('insert into migrations (number, name) values ($1, $2)', [number, name])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      // A migration may deadlock with a process of the previous version that is writing.
      if (isSerializationFailure(error) && ++deadlockCount < deadlocksMax) continue
      if (isLockTimeout(error)) {
        if (!isBlocked) onBlocked(name)
        isBlocked = true
        await sleep(lockPauseMs)
        continue
      }
      throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}

function listMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .toSorted()
    .flatMap((name) => {
      const match = namePattern.exec(name)
      return match ? [{ number: Number(match[1]), name }] : []
    })
}
