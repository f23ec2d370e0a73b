import type { Route } from './route.ts'

/** Routes of the same priority are one rank. */
export type Ranks = readonly (readonly Route[])[]

export interface PlacesOfRoute {
  route: Route
  limit: number
}

/**
 * How many of the next tasks each route of a lane is to take: only routes of the best priority that has room, by weight, and of equal ones
 * first the one with the least in flight. Routes of a lower rank come in where all those above are out of order, or have been
 * busy for longer than they may.
 */
export function sharePlaces(ranks: Ranks, placesMax: number, nowMs: number, taken: PlacesTaken): PlacesOfRoute[] {
  for (const rank of ranks) {
    const shares = rank.map((route) => ({ route, limit: 0, free: route.freePlaces(nowMs) }))
    for (let places = 0; places < placesMax; places++) {
      const open = shares.filter(({ route, limit, free }) => limit < free && taken.by(route) < route.upstreamPlaces)
      const next = open.toSorted((a, b) => load(a) - load(b))[0]
      if (next === undefined) break
      next.limit += 1
      taken.take(next.route)
    }
    if (shares.some(({ limit }) => limit > 0)) return shares.filter(({ limit }) => limit > 0)
    if (!rank.every((route) => route.givesWay(nowMs))) return []
  }
  return []
}

/** What one round has given away already, for lanes may have routes of one upstream. */
export class PlacesTaken {
  readonly #byUpstream = new Map<object, number>()

  by({ settings }: Route): number {
    return this.#byUpstream.get(settings.upstream) ?? 0
  }

  take({ settings }: Route): void {
    this.#byUpstream.set(settings.upstream, (this.#byUpstream.get(settings.upstream) ?? 0) + 1)
  }
}

/** Best first. */
export function ranksOf(routes: readonly Route[]): Ranks {
  const ranks = Map.groupBy(routes, (route) => route.settings.priority)
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, rank]) => rank)
}

function load({ route, limit }: PlacesOfRoute): number {
  return (route.inFlight + limit + 1) / route.settings.weight
}
