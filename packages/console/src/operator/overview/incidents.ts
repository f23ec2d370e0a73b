import type { AdminAttempt, AdminRoute, AdminUpstream } from '@framegate/contract'

/** Something that needs the operator, with the page where it is solved. */
export interface Incident {
  kind: 'circuit' | 'fault' | 'attempts'
  /** Name of the upstream or route; null for attempts. */
  name: string | null
  detail: string | null
  count: number
  path: string
}

interface State {
  upstreams: readonly AdminUpstream[]
  routes: readonly AdminRoute[]
  attempts: readonly AdminAttempt[]
}

export function incidentsOf({ upstreams, routes, attempts }: State): readonly Incident[] {
  const parts = [
    ...upstreams.map((upstream) => ({ ...upstream, path: '/console/upstreams' })),
    ...routes.map((route) => ({ ...route, path: '/console/routes' })),
  ]
  return [
    ...parts
      .filter(({ circuit }) => circuit !== 'closed')
      .map(({ name, path }) => ({ kind: 'circuit' as const, name, detail: null, count: 1, path })),
    ...parts
      .filter(({ fault }) => fault !== null)
      .map(({ name, path, fault }) => ({ kind: 'fault' as const, name, detail: fault, count: 1, path })),
    ...(attempts.length === 0
      ? []
      : [{ kind: 'attempts' as const, name: null, detail: null, count: attempts.length, path: '/console/attempts' }]),
  ]
}
