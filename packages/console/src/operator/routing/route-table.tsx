import type { AdminRoute } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { DataTable, type RowAttributes } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { CircuitState } from './circuit-state.tsx'
import type { OpenRouteDialog } from './route-dialog.tsx'

interface RouteTableProps {
  routes: readonly AdminRoute[]
  attributesOf: (route: AdminRoute) => RowAttributes
  /** Changes the priority of a route by a number of steps. */
  onMove: (route: AdminRoute, steps: number) => void
  /** Tests the routes of the route's model. */
  onTest: (route: AdminRoute) => void
  onOpen: (dialog: OpenRouteDialog) => void
}

/** Table of the routes, with the buttons of each. */
export function RouteTable({ routes, attributesOf, onMove, onTest, onOpen }: RouteTableProps) {
  const t = texts.value
  return (
    <DataTable
      label={t.routing.routes}
      rows={routes}
      keyOf={({ name, model }) => `${name} ${model}`}
      attributesOf={attributesOf}
      columns={[
        {
          label: t.routing.route,
          cell: ({ name, model }) => (
            <>
              <strong>{name}</strong>
              <br />
              <code class="muted">{model === '*' ? t.routing.everyModel : model}</code>
            </>
          ),
        },
        {
          label: t.routing.upstream,
          cell: ({ upstream, upstream_model }) => (
            <>
              {upstream}
              {upstream_model !== null && (
                <>
                  <br />
                  <code class="muted">{upstream_model}</code>
                </>
              )}
            </>
          ),
        },
        { label: t.routing.state, cell: (route) => <CircuitState part={route} /> },
        {
          label: t.routing.inFlight,
          cell: ({ in_flight, in_flight_max }) => `${in_flight} / ${in_flight_max ?? '∞'}`,
          isNumber: true,
        },
        {
          label: t.routing.priority,
          isNumber: true,
          cell: (route) => (
            <span class="priority">
              {route.priority}
              {route.source === 'api' && (
                <>
                  <button
                    type="button"
                    class="button quiet icon-only"
                    aria-label={t.routing.earlier(route.name)}
                    onClick={() => onMove(route, -1)}
                  >
                    <Icon name="up" size={16} />
                  </button>
                  <button
                    type="button"
                    class="button quiet icon-only"
                    aria-label={t.routing.later(route.name)}
                    onClick={() => onMove(route, 1)}
                  >
                    <Icon name="down" size={16} />
                  </button>
                </>
              )}
            </span>
          ),
        },
        { label: t.routing.source, cell: ({ source }) => t.routing.sources[source] },
        {
          label: t.keys.actions,
          isActions: true,
          cell: (route) => (
            <>
              {route.model !== '*' && (
                <button type="button" class="button small" onClick={() => onTest(route)}>
                  {t.routing.test}
                </button>
              )}
              {route.source === 'api' && (
                <>
                  <button type="button" class="button small" onClick={() => onOpen({ kind: 'set', route })}>
                    {t.actions.edit}
                  </button>
                  <button type="button" class="button small" onClick={() => onOpen({ kind: 'remove', route })}>
                    {t.routing.remove}
                  </button>
                </>
              )}
            </>
          ),
        },
      ]}
    />
  )
}
