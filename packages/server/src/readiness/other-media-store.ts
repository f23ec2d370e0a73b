import type { Config } from '../config/config.ts'
import { describeOtherMedia, mediaLockClass, mediaLockKey, otherMediaUsersSql } from '../db/media-location.ts'
import { openReader } from '../db/open-reader.ts'

/**
 * Describes the running processes of the installation that store media elsewhere than these
 * settings say. Returns null if there are none.
 */
export async function findOtherMediaStore(config: Pick<Config, 'dataDir' | 'database' | 'media'>): Promise<string | null> {
  if (config.database.kind === 'sqlite') return null
  await using reader = await openReader(config)
  const rows = await reader.rows(otherMediaUsersSql, [mediaLockClass, mediaLockKey(config) ?? -1])
  return rows.length === 0
    ? null
    : describeOtherMedia(
        config,
        rows.map((row) => String(row['host'])),
      )
}
