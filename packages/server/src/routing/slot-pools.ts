import { createHash } from 'node:crypto'
import type { Kysely, Updateable } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { SlotPoolRow } from '../db/tables/routing-tables.ts'
import type { RouteDefinition, Routing, UpstreamDefinition } from './configuration/definitions.ts'

/**
 * Numbers of the slot pools of a routing. A slot pool counts the attempts in flight of one upstream
 * or of one route.
 */
export interface RoutingPools {
  ofUpstream(definition: UpstreamDefinition): number
  /** Must not be called for a route to the embedded driver, which has no pool. */
  ofRoute(definition: RouteDefinition): number
}

/**
 * Finds the pools of a routing and creates missing ones. A pool keeps its number after a change of
 * name, base URL or key, so that its attempts in flight still count toward its limit.
 */
export type FindSlotPools = (routing: Routing) => Promise<RoutingPools>

/** Identifies the pool that one upstream or one route of a routing needs. */
interface PoolIdentity {
  name: string
  /**
   * For an upstream: digest of its driver, base URL and key. For a route: number of its upstream's
   * pool, a space, and a digest of the route's model and target.
   */
  target: string
}

interface StoredPool extends PoolIdentity {
  no: number
  /** Whether the pool is paused, or still has restrictions that follow a pause. */
  isRestricted: boolean
}

/**
 * State of a restricted pool after its destination has changed. Earlier refusals do not apply to
 * the new destination. At first, only one attempt may wait for the upstream's acceptance.
 */
const stateAfterMove = { paused_until: 0, unconfirmed_max: 1, refusals: 0, condition: 'open' } as const

const triesMax = 3
const rowsPerInsertMax = 1_000

type PoolKind = 'upstream' | 'route'

interface FoundPools {
  poolNos: ReadonlyMap<string, number>
  /**
   * Current names of the pools whose destination has changed: the driver, base URL or key of an
   * upstream, or the upstream of a route.
   */
  movedNames: ReadonlySet<string>
}

export function createFindSlotPools(database: Kysely<Tables>): FindSlotPools {
  async function findPoolsOfKind(
    kind: PoolKind,
    identities: readonly PoolIdentity[],
    isMoved: (identity: PoolIdentity, pool: StoredPool) => boolean,
  ): Promise<FoundPools> {
    const storedPools = await readPools(kind)
    const matches = matchPools(identities, storedPools)
    const byName = new Map(identities.map((identity) => [identity.name, identity]))
    for (const { no, name } of storedPools) {
      const namesake = byName.get(name)
      // Names are unique. A pool whose name is needed for another pool is therefore renamed first.
      if (namesake !== undefined && matches.get(namesake)?.no !== no) await update(no, { name: `${name} #${no}` })
    }
    const movedNames = new Set<string>()
    for (const [identity, pool] of matches) {
      const { name, target } = identity
      if (isMoved(identity, pool)) movedNames.add(name)
      const resetsPause = movedNames.has(name) && pool.isRestricted
      if (pool.name === name && pool.target === target && !resetsPause) continue
      await update(pool.no, { name, target, ...(resetsPause && stateAfterMove) })
    }
    const addedIdentities = identities.filter((identity) => !matches.has(identity))
    await insert(kind, addedIdentities)
    const pools = addedIdentities.length === 0 ? storedPools : await readPools(kind)
    const noByName = new Map(pools.map(({ name, no }) => [name, no]))
    return {
      poolNos: new Map(
        identities.map((identity) => [identity.name, matches.get(identity)?.no ?? noByName.get(identity.name) ?? 0]),
      ),
      movedNames,
    }
  }

  async function readPools(kind: PoolKind): Promise<StoredPool[]> {
    const rows = await database
      .selectFrom('slot_pools')
      .select(['no', 'name', 'target', 'paused_until', 'unconfirmed_max', 'refusals', 'condition'])
      .where('kind', '=', kind)
      .orderBy('no')
      .execute()
    return rows.map(({ no, name, target, ...row }) => {
      const isRestricted = row.paused_until > 0 || row.unconfirmed_max !== null || row.refusals > 0 || row.condition !== 'open'
      return { no, name, target, isRestricted }
    })
  }

  async function update(no: number, changes: Updateable<SlotPoolRow>): Promise<void> {
    await database.updateTable('slot_pools').set(changes).where('no', '=', no).execute()
  }

  async function insert(kind: PoolKind, added: readonly PoolIdentity[]): Promise<void> {
    // The rows are sorted, so that processes that create the same pools at the same moment lock
    // them in the same order.
    const rows = added
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, target }) => ({ kind, name, target, unconfirmed_max: null }))
    for (let startIndex = 0; startIndex < rows.length; startIndex += rowsPerInsertMax) {
      await database
        .insertInto('slot_pools')
        .values(rows.slice(startIndex, startIndex + rowsPerInsertMax))
        .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
        .execute()
    }
  }

  async function findPools({ upstreams, routes }: Routing): Promise<RoutingPools> {
    const pools = await findPoolsOfKind(
      'upstream',
      upstreams.map(upstreamIdentity),
      (identity, pool) => identity.target !== pool.target,
    )
    const upstreamPoolNo = (name: string): number => pools.poolNos.get(name) ?? 0
    const movedNos = new Set(Array.from(pools.movedNames, (name) => String(upstreamPoolNo(name))))
    const identities = routeIdentitiesOf(routes, upstreamPoolNo)
    const { poolNos } = await findPoolsOfKind('route', [...identities.values()], ({ target }, pool) => {
      const upstream = upstreamPartOf(target)
      return movedNos.has(upstream) || upstream !== upstreamPartOf(pool.target)
    })
    return {
      ofUpstream: ({ name }) => upstreamPoolNo(name),
      ofRoute: (definition) => poolNos.get(identities.get(definition)?.name ?? '') ?? 0,
    }
  }

  return async (routing) => {
    for (let tryCount = 1; ; tryCount++) {
      try {
        return await findPools(routing)
      } catch (error) {
        // Any error is retried, because another process may have assigned the same names at the
        // same moment.
        if (tryCount === triesMax) throw error
      }
    }
  }
}

/**
 * Matches identities with stored pools in three steps:
 *
 * 1. by name and target
 * 2. by target alone, which finds renamed pools
 * 3. by name alone, which finds pools whose target has changed
 */
function matchPools(identities: readonly PoolIdentity[], storedPools: readonly StoredPool[]): Map<PoolIdentity, StoredPool> {
  const matches = new Map<PoolIdentity, StoredPool>()
  const matchedPools = new Set<StoredPool>()
  const keyFunctions: ((identity: PoolIdentity) => string)[] = [
    ({ name, target }) => JSON.stringify([name, target]),
    ({ target }) => target,
    ({ name }) => name,
  ]
  for (const keyOf of keyFunctions) {
    const unmatchedPools = storedPools.filter((pool) => !matchedPools.has(pool))
    const byKey = Map.groupBy(unmatchedPools, keyOf)
    for (const identity of identities) {
      const pool = matches.has(identity) ? undefined : byKey.get(keyOf(identity))?.shift()
      if (pool === undefined) continue
      matchedPools.add(pool)
      matches.set(identity, pool)
    }
  }
  return matches
}

function upstreamIdentity({ name, driver, baseUrl, credential }: UpstreamDefinition): PoolIdentity {
  return { name, target: digestOf([driver.name, baseUrl, credential?.reveal() ?? '']) }
}

/**
 * Returns the identity of the pool of each route to an upstream. Routes of one model with the same
 * name are numbered in the order of the routing.
 */
function routeIdentitiesOf(
  routes: readonly RouteDefinition[],
  upstreamPoolNo: (name: string) => number,
): ReadonlyMap<RouteDefinition, PoolIdentity> {
  const identities = new Map<RouteDefinition, PoolIdentity>()
  const nameCounts = new Map<string, number>()
  for (const definition of routes) {
    const { name, model, upstream, target } = definition
    if (upstream === null) continue
    const plainName = JSON.stringify([model, name])
    const position = nameCounts.get(plainName) ?? 0
    nameCounts.set(plainName, position + 1)
    identities.set(definition, {
      name: JSON.stringify([model, name, position]),
      target: `${upstreamPoolNo(upstream.name)} ${digestOf([model, { ...target, baseUrl: '' }])}`,
    })
  }
  return identities
}

/** Returns the part of a route's `target` before the space: the number of its upstream's pool. */
function upstreamPartOf(target: string): string {
  return target.slice(0, target.indexOf(' '))
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
