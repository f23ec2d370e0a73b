import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { StartupError } from '../lib/startup-error.ts'
import type { Workers } from './workers.ts'

/**
 * All running processes of an installation must store media at the same location, because each of
 * them serves the results and assets of all others. Without S3, the location is a data folder,
 * which only one process can use. While a process runs, its database connection holds a shared
 * advisory lock whose key is derived from the location. The lock of a dead process disappears with
 * its connection.
 */

/** Advisory-lock class for the media stores of running processes: "medi" in ASCII. */
export const mediaLockClass = 0x6d656469

/**
 * Query for the running processes that store media elsewhere. Parameters: the class, and the key.
 */
export const otherMediaUsersSql = `
  select distinct coalesce(host(client_addr), 'an unknown address') as host
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and classid::bigint = $1 and objid::bigint <> $2::bigint and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** Maximum wait until the lock of another process disappears, for example after a restart. */
const gracePeriodMs = 5_000
const retryIntervalMs = 250

/**
 * Registers this process as a user of its media store. Throws a `StartupError` if a running process
 * of the installation stores media elsewhere.
 */
export async function requireSameMediaStore(
  store: Pick<Workers, 'joinMediaStore'>,
  config: Pick<Config, 'media' | 'dataDir'>,
): Promise<void> {
  const key = mediaLockKey(config) ?? createFolderKey(config.dataDir)
  const untilMs = performance.now() + gracePeriodMs
  for (;;) {
    const hosts = await store.joinMediaStore(key)
    if (hosts.length === 0) return
    if (performance.now() > untilMs) throw new StartupError(`${describeOtherMedia(config, hosts)}. ${otherMediaAdvice}`)
    // Two processes that start at the same time both find the other one and back off. The random
    // part of the delay lets one of them succeed.
    await sleep(retryIntervalMs * (1 + Math.random()))
  }
}

/** `hosts` are the addresses of the running processes that store media elsewhere. */
export function describeOtherMedia({ media, dataDir }: Pick<Config, 'media' | 'dataDir'>, hosts: readonly string[]): string {
  const location = media.kind === 's3' ? `the bucket ${media.bucket} at ${media.endpoint}` : `the data folder ${dataDir}`
  return (
    `Another process that runs on this database (connected from ${hosts.join(', ')}) stores results and assets elsewhere; ` +
    `this process would store them in ${location}`
  )
}

export const otherMediaAdvice =
  'Several processes need the same bucket (S3_BUCKET, S3_PREFIX); without S3, stop the other process ' +
  'first (docs/postgresql.md).'

/**
 * Returns the lock key of the media store, or null for a data folder without an id. The key of a
 * bucket ignores the endpoint, because machines may reach one bucket under several addresses.
 */
export function mediaLockKey({ media, dataDir }: Pick<Config, 'media' | 'dataDir'>): number | null {
  if (media.kind === 's3') return lockKeyOf(['s3', media.bucket, media.prefix])
  const file = idFile(dataDir)
  return existsSync(file) ? lockKeyOf(['folder', readFileSync(file, 'utf8')]) : null
}

/** Gives the data folder an id, because its path may be the same on several machines. */
function createFolderKey(dataDir: string): number {
  const id = randomUUID()
  const partialFile = `${idFile(dataDir)}.partial`
  writeFileSync(partialFile, id, { flush: true })
  renameSync(partialFile, idFile(dataDir))
  return lockKeyOf(['folder', id])
}

function idFile(dataDir: string): string {
  return path.join(dataDir, 'media.id')
}

function lockKeyOf(parts: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE() & 0x7fffffff
}
