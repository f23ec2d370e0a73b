import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { RouteDefinition, Routing, UpstreamDefinition } from './definitions.ts'

/** The slot pools of a routing. */
export interface RoutingPools {
  ofUpstream(definition: UpstreamDefinition): number
  /** Only for a route to an upstream. */
  ofRoute(definition: RouteDefinition): number
}

/** Finds the pools of a routing, so that what is in flight counts on when a name or a key is changed; makes those that are new. */
export type FindSlotPools = (routing: Routing) => Promise<RoutingPools>

interface Wanted {
  name: string
  target: string
}

interface KnownPool extends Wanted {
  no: number
}

/** What was refused at another address or with another key says nothing about this one. */
const unpaused = { paused_until: 0, unconfirmed_max: null, refusals: 0, condition: 'open' } as const

const triesMax = 3

type Kind = 'upstream' | 'route'

interface FoundPools {
  found: ReadonlyMap<string, number>
  /** Names of those that lead elsewhere than before, or have another key. */
  changed: ReadonlySet<string>
}

export function createFindSlotPools(query: Kysely<Tables>): FindSlotPools {
  async function findAll(kind: Kind, wanted: readonly Wanted[]): Promise<FoundPools> {
    const known = await query.selectFrom('slot_pools').select(['no', 'name', 'target']).where('kind', '=', kind).execute()
    const matches = matchPools(wanted, known)
    const byName = new Map(wanted.map((want) => [want.name, want]))
    for (const pool of known) {
      const namesake = byName.get(pool.name)
      // Names are unique: a pool gives its name up before another one, or a new one, is given it.
      if (namesake !== undefined && matches.get(namesake) !== pool)
        await query
          .updateTable('slot_pools')
          .set({ name: `${pool.name} #${pool.no}` })
          .where('no', '=', pool.no)
          .execute()
    }
    const found = new Map<string, number>()
    const changed = new Set<string>()
    for (const want of wanted) {
      const { name, target } = want
      const pool = matches.get(want)
      found.set(name, pool?.no ?? (await make(kind, name, target)))
      if (pool === undefined) continue
      const update = query.updateTable('slot_pools').where('no', '=', pool.no)
      if (pool.name !== name) await update.set({ name }).execute()
      if (pool.target === target) continue
      changed.add(name)
      await update.set({ target, ...unpaused }).execute()
    }
    return { found, changed }
  }

  async function make(kind: Kind, name: string, target: string): Promise<number> {
    await query
      .insertInto('slot_pools')
      .values({ kind, name, target, unconfirmed_max: null })
      .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
      .execute()
    const made = query.selectFrom('slot_pools').select('no').where('kind', '=', kind).where('name', '=', name)
    return (await made.executeTakeFirstOrThrow()).no
  }

  async function find({ upstreams, routes }: Routing): Promise<RoutingPools> {
    const wantedUpstreams = upstreams.map(wantedUpstream)
    const { found: upstreamNos, changed } = await findAll('upstream', wantedUpstreams)
    const upstreamNo = (name: string): number => upstreamNos.get(name) ?? 0
    const wanted = wantedRoutes(routes, upstreamNo)
    const { found: routeNos } = await findAll('route', [...wanted.values()])
    const unpausedNos = [...wanted].flatMap(([{ upstream }, { name }]) =>
      changed.has(upstream?.name ?? '') ? (routeNos.get(name) ?? []) : [],
    )
    if (unpausedNos.length > 0) await query.updateTable('slot_pools').set(unpaused).where('no', 'in', unpausedNos).execute()
    return {
      ofUpstream: ({ name }) => upstreamNo(name),
      ofRoute: (definition) => routeNos.get(wanted.get(definition)?.name ?? '') ?? 0,
    }
  }

  return async (routing) => {
    for (let tries = 1; ; tries++) {
      try {
        return await find(routing)
      } catch (error) {
        // Another process may be giving the same names at the same moment.
        if (tries === triesMax) throw error
      }
    }
  }
}

/** First by name and target; then by the target alone, for it was renamed; then by the name, for it leads elsewhere or has another key. */
function matchPools(wanted: readonly Wanted[], known: readonly KnownPool[]): Map<Wanted, KnownPool> {
  const left = new Set(known)
  const matches = new Map<Wanted, KnownPool>()
  const isMatch: ((want: Wanted, pool: KnownPool) => boolean)[] = [
    (want, pool) => pool.name === want.name && pool.target === want.target,
    (want, pool) => pool.target === want.target,
    (want, pool) => pool.name === want.name,
  ]
  for (const matchesPool of isMatch) {
    for (const want of wanted) {
      const pool = matches.has(want) ? undefined : [...left].find((one) => matchesPool(want, one))
      if (pool === undefined) continue
      left.delete(pool)
      matches.set(want, pool)
    }
  }
  return matches
}

function wantedUpstream({ name, driver, baseUrl, credential }: UpstreamDefinition): Wanted {
  return { name, target: digestOf([driver.name, baseUrl, credential?.reveal() ?? '']) }
}

/** Routes of one model may have the same name: then their order tells them apart. */
function wantedRoutes(
  routes: readonly RouteDefinition[],
  upstreamNo: (name: string) => number,
): ReadonlyMap<RouteDefinition, Wanted> {
  const wanted = new Map<RouteDefinition, Wanted>()
  const used = new Map<string, number>()
  for (const definition of routes) {
    const { name, model, upstream, target } = definition
    if (upstream === null) continue
    const plainName = JSON.stringify([model, name])
    const position = used.get(plainName) ?? 0
    used.set(plainName, position + 1)
    wanted.set(definition, {
      name: JSON.stringify([model, name, position]),
      target: digestOf([model, upstreamNo(upstream.name), { ...target, baseUrl: '' }]),
    })
  }
  return wanted
}

function digestOf(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url')
}
