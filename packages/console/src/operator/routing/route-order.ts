import type { AdminRoute } from '@framegate/contract'

type OrderedRoute = Pick<AdminRoute, 'name' | 'priority' | 'source'>

/**
 * Returns the new priorities, by route name, after `moved` takes the position of `target`. A route
 * that moves up is then directly before `target`, and one that moves down directly after it. Raises
 * the priorities of later routes only as far as necessary. Later routes that share a priority still
 * share one. Returns null if a route from the configuration file would have to change.
 */
export function prioritiesAfterMove(
  routes: readonly OrderedRoute[],
  moved: OrderedRoute,
  target: OrderedRoute,
): ReadonlyMap<string, number> | null {
  const sortedRoutes = routes.toSorted((a, b) => a.priority - b.priority)
  const otherRoutes = sortedRoutes.filter(({ name }) => name !== moved.name)
  const position = otherRoutes.findIndex(({ name }) => name === target.name)
  if (position === -1) return new Map()
  const isMovedDown =
    sortedRoutes.findIndex(({ name }) => name === moved.name) < sortedRoutes.findIndex(({ name }) => name === target.name)
  const insertIndex = isMovedDown ? position + 1 : position
  const previous = otherRoutes[insertIndex - 1]
  const next = otherRoutes[insertIndex]
  let lastPriority = previous === undefined ? (next?.priority ?? 1) - 1 : previous.priority + 1
  const changes = new Map([[moved.name, lastPriority]])
  let sharedPriorities: { from: number; to: number } | null = null
  for (const { name, priority, source } of otherRoutes.slice(insertIndex)) {
    const to: number = sharedPriorities?.from === priority ? sharedPriorities.to : Math.max(priority, lastPriority + 1)
    sharedPriorities = { from: priority, to }
    lastPriority = to
    if (to === priority) continue
    if (source !== 'api') return null
    changes.set(name, to)
  }
  return changes
}
