import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { ConnectedTarget } from '../drivers/upstream/upstream-driver.ts'
import type { Clock } from '../lib/clock.ts'
import type { RouteCost } from './configuration/definitions.ts'
import type { Encryption } from './encryption.ts'

/**
 * A route snapshot: all data that an attempt needs to continue, even if its route was changed or
 * removed since.
 */
export interface RouteSnapshot {
  name: string
  driver: string
  upstream: string
  target: ConnectedTarget
  /** The operator's cost of a job. Absent if the operator has not set it. */
  cost?: RouteCost
}

/** Stores each version of a route once, under a number. */
export interface RouteSnapshots {
  save(snapshot: RouteSnapshot): Promise<number>
  find(no: number): Promise<RouteSnapshot | undefined>
}

export function createRouteSnapshots(database: Kysely<Tables>, encryption: Encryption, clock: Clock): RouteSnapshots {
  async function noOf(digest: string): Promise<number | undefined> {
    return (await database.selectFrom('route_snapshots').select('no').where('digest', '=', digest).executeTakeFirst())?.no
  }

  return {
    async save(snapshot) {
      const digest = createHash('sha256').update(JSON.stringify(snapshot)).digest('base64url')
      const existing = await noOf(digest)
      if (existing !== undefined) return existing
      const { credential, ...target } = snapshot.target
      await database
        .insertInto('route_snapshots')
        .values({
          digest,
          name: snapshot.name,
          upstream: snapshot.upstream,
          definition: JSON.stringify({ ...snapshot, target }),
          credential: credential === '' ? null : encryption.encrypt(credential),
          created_at: clock(),
        })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .execute()
      const no = await noOf(digest)
      if (no === undefined) throw new Error('the snapshot of a route is missing')
      return no
    },
    async find(no) {
      const row = await database.selectFrom('route_snapshots').selectAll().where('no', '=', no).executeTakeFirst()
      if (row === undefined) return undefined
      const { target, ...snapshot } = JSON.parse(row.definition) as RouteSnapshot
      const credential = row.credential === null ? '' : encryption.decrypt(row.credential)
      return { ...snapshot, target: { ...target, credential } }
    },
  }
}
