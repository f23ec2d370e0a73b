import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'

/**
 * Entries that an operator has stored in addition to the file, by name. They have the same fields
 * as in the file.
 */
export interface StoredRouting {
  upstreams: ReadonlyMap<string, StoredUpstream>
  routes: ReadonlyMap<string, RawEntry>
}

export type RawEntry = Readonly<Record<string, unknown>>

export interface StoredUpstream {
  definition: RawEntry
  /** The encrypted credential. Null if there is none. */
  credential: string | null
}

export async function readConfigVersion(database: Kysely<Tables>): Promise<number> {
  return (await database.selectFrom('config_version').select('version').executeTakeFirstOrThrow()).version
}

export async function readStoredRouting(database: Kysely<Tables>): Promise<StoredRouting> {
  const upstreams = await database.selectFrom('stored_upstreams').selectAll().orderBy('name').execute()
  const routes = await database.selectFrom('stored_routes').selectAll().orderBy('name').execute()
  return {
    upstreams: new Map(
      upstreams.map(({ name, definition, credential }) => [name, { definition: JSON.parse(definition) as RawEntry, credential }]),
    ),
    routes: new Map(routes.map(({ name, definition }) => [name, JSON.parse(definition) as RawEntry])),
  }
}
