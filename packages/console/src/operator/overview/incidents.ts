import type { AdminAttempt, AdminRoute, AdminUpstream, Overview } from '@framegate/contract'
import type { FailureTimesProps } from '../routing/failure-times.tsx'

/** A problem for the operator, with the page on which the operator can resolve it. */
export interface Incident {
  kind: 'notReady' | 'circuit' | 'fault' | 'attempts' | 'manyAttempts' | 'queue' | 'held' | 'webhook' | 'webhooks' | 'books'
  /** Name of the upstream, the route or the webhook's account. Null for other kinds. */
  name: string | null
  /** Error message, or URL of the webhook. */
  detail: string | null
  /** Set if a circuit is not closed. */
  times?: FailureTimesProps
  count: number
  path: string
}

interface InstallationState {
  /** The reason why the service is not ready. Null: none is known. */
  readinessError: string | null
  upstreams: readonly AdminUpstream[]
  routes: readonly AdminRoute[]
  /** The first page of the attempts that must be resolved. */
  attempts: readonly AdminAttempt[]
  hasMoreAttempts: boolean
  overview: Overview
  nowMs: number
}

/** Age of the oldest queued task above which the queue is an incident. */
const queuedSecondsMax = 600

export function findIncidents(state: InstallationState): readonly Incident[] {
  const { readinessError, upstreams, routes, attempts, hasMoreAttempts, overview, nowMs } = state
  const upstreamsAndRoutes = [...upstreams, ...routes]
  const outOfService = new Set(upstreams.filter(({ circuit }) => circuit !== 'closed').map(({ name }) => name))
  return [
    ...(readinessError === null
      ? []
      : [{ kind: 'notReady' as const, name: null, detail: readinessError, count: 1, path: '/console/log' }]),
    ...upstreamsAndRoutes
      // The circuit of an upstream applies to its routes too, which are therefore not listed again.
      .filter((part) => part.circuit !== 'closed' && !(part.object === 'route' && outOfService.has(part.upstream)))
      .map((part) => ({
        kind: 'circuit' as const,
        name: part.name,
        detail: part.last_error,
        times: part,
        count: 1,
        path: pathOf(part),
      })),
    ...upstreamsAndRoutes
      .filter(({ fault }) => fault !== null)
      .map((part) => ({ kind: 'fault' as const, name: part.name, detail: part.fault, count: 1, path: pathOf(part) })),
    ...(attempts.length === 0 ? [] : [incidentOfAttempts(attempts.length, hasMoreAttempts)]),
    ...incidentsOfOverview(overview, nowMs),
  ]
}

/** Path of the page that lists the upstream or route. */
function pathOf({ object }: AdminUpstream | AdminRoute): string {
  return object === 'upstream' ? '/console/upstreams' : '/console/routes'
}

function incidentOfAttempts(count: number, hasMore: boolean): Incident {
  return { kind: hasMore ? 'manyAttempts' : 'attempts', name: null, detail: null, count, path: '/console/attempts' }
}

function incidentsOfOverview({ tasks, webhooks, ledger }: Overview, nowMs: number): Incident[] {
  const incidents: Incident[] = []
  const add = (kind: Incident['kind'], count: number, path: string, details: Partial<Incident> = {}): void => {
    incidents.push({ kind, name: null, detail: null, count, path: `/console/${path}`, ...details })
  }
  if (ledger.differences !== null && ledger.differences > 0) add('books', ledger.differences, 'books')
  if (tasks.oldest_queued !== null && nowMs / 1000 - tasks.oldest_queued > queuedSecondsMax) add('queue', tasks.queued, 'routes')
  if (tasks.held > 0) add('held', tasks.held, 'attempts')
  for (const { account, account_name, url } of webhooks.items) {
    add('webhook', 1, `accounts/${encodeURIComponent(account)}`, { name: account_name || account, detail: url })
  }
  if (webhooks.failing > webhooks.items.length) add('webhooks', webhooks.failing - webhooks.items.length, 'accounts')
  return incidents
}
