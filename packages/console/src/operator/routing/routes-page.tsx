import { useState } from 'preact/hooks'
import type { AdminRoute, AdminUpstream, RouteTest } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { notify, notifyError } from '../../parts/toasts.tsx'
import { useShown } from '../../parts/use-shown.ts'
import { Page } from '../../shell/page.tsx'
import { CircuitState } from './circuit-state.tsx'
import { ExplainDialog } from './explain-dialog.tsx'
import { OrderDialog, type RouteOrder } from './order-dialog.tsx'
import { bodyOfRoute, routeFields, routeQuestion, settingsOutsideForm, valuesOfRoute } from './route-fields.ts'
import { prioritiesAfterMove } from './route-order.ts'
import { RouteTests } from './route-tests.tsx'
import { textOf } from '../../parts/text-of.ts'
import { useRouteDrag } from './use-route-drag.ts'

/** Page with the routes: which upstream serves which model, in which order. */
export function RoutesPage() {
  const t = texts.value
  const { data, error, reload } = useLoad<ListPage<AdminRoute>>('/admin/v1/routes')
  const upstreams = useLoad<ListPage<AdminUpstream>>('/admin/v1/upstreams')
  const [open, setOpen] = useState<{ kind: 'set' | 'remove'; route: AdminRoute } | 'new' | null>(null)
  const [order, setOrder] = useState<RouteOrder | null>(null)
  const [tests, setTests] = useState<RouteTest | null>(null)
  const [isExplainOpen, setExplainOpen] = useState(false)
  useRefresh(reload)
  const close = (): void => setOpen(null)
  const routesOf = (model: string): readonly AdminRoute[] => data?.items.filter((route) => route.model === model) ?? []
  const upstreamNames = upstreams.data?.items.map(({ name }) => name) ?? []

  async function setRoute(name: string, body: unknown): Promise<void> {
    await call('PUT', `/admin/v1/routes/${encodeURIComponent(name)}`, { body })
    reload()
  }

  /** Tests the routes of a model, or all routes. */
  async function test(model?: string): Promise<void> {
    setTests(await call<RouteTest>('POST', '/admin/v1/routes/test', { body: model === undefined ? {} : { model } }))
  }

  /**
   * Opens the dialog that changes the priority of a route by a number of steps. Lower priorities
   * are tried first.
   */
  function move({ name, model, priority }: AdminRoute, steps: number): void {
    setOrder({ routes: routesOf(model), changes: new Map([[name, priority + steps]]) })
  }

  function drop(moved: AdminRoute, target: AdminRoute): void {
    const routes = routesOf(moved.model)
    const changes = prioritiesAfterMove(routes, moved, target)
    if (changes === null) notify(t.routing.wouldMoveRouteOfFile)
    else setOrder({ routes, changes })
  }

  async function reorder({ routes, changes }: RouteOrder): Promise<void> {
    for (const route of routes) {
      const priority = changes.get(route.name)
      if (priority !== undefined) await setRoute(route.name, { ...bodyOfRoute(route), priority })
    }
  }

  const attributesOf = useRouteDrag(drop)
  const shownRoutes = useShown(data?.items.toSorted((a, b) => a.model.localeCompare(b.model) || a.priority - b.priority) ?? [])

  return (
    <Page
      title={t.routing.routes}
      lead={t.routing.routesLead}
      actions={
        <>
          <button type="button" class="button" onClick={() => setExplainOpen(true)}>
            {t.explain.title}
          </button>
          <button type="button" class="button" onClick={() => void test().catch(notifyError)}>
            {t.routing.testAll}
          </button>
          <button type="button" class="button primary" onClick={() => setOpen('new')}>
            <Icon name="plus" size={16} />
            {t.routing.addRoute}
          </button>
        </>
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && <Loading />}
      {tests !== null && <RouteTests tests={tests} onClose={() => setTests(null)} />}
      {data !== null && (
        <DataTable
          label={t.routing.routes}
          rows={shownRoutes.items}
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
                        onClick={() => move(route, -1)}
                      >
                        <Icon name="up" size={16} />
                      </button>
                      <button
                        type="button"
                        class="button quiet icon-only"
                        aria-label={t.routing.later(route.name)}
                        onClick={() => move(route, 1)}
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
                    <button type="button" class="button small" onClick={() => void test(route.model).catch(notifyError)}>
                      {t.routing.test}
                    </button>
                  )}
                  {route.source === 'api' && (
                    <>
                      <button type="button" class="button small" onClick={() => setOpen({ kind: 'set', route })}>
                        {t.actions.edit}
                      </button>
                      <button type="button" class="button small" onClick={() => setOpen({ kind: 'remove', route })}>
                        {t.routing.remove}
                      </button>
                    </>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <MoreButton pages={shownRoutes} />
      {isExplainOpen && <ExplainDialog onClose={() => setExplainOpen(false)} />}
      {order !== null && <OrderDialog order={order} onConfirm={() => reorder(order)} onClose={() => setOrder(null)} />}
      {open === 'new' && (
        <FormDialog
          title={t.routing.addRoute}
          button={t.actions.create}
          fields={routeFields(upstreamNames, true)}
          questionOf={(body) => routeQuestion(null, body)}
          onSubmit={({ name, ...body }) => setRoute(textOf(name), body)}
          onClose={close}
        />
      )}
      {open !== null && open !== 'new' && open.kind === 'set' && (
        <FormDialog
          title={open.route.name}
          button={t.actions.save}
          fields={routeFields(upstreamNames, false)}
          initial={valuesOfRoute(open.route)}
          questionOf={(body) => routeQuestion(open.route, body)}
          onSubmit={(body) => setRoute(open.route.name, { ...settingsOutsideForm(open.route), ...body })}
          onClose={close}
        />
      )}
      {open !== null && open !== 'new' && open.kind === 'remove' && (
        <ConfirmDialog
          title={t.routing.remove}
          question={t.routing.removeRouteQuestion(open.route.name, routesOf(open.route.model).length === 1)}
          button={t.routing.remove}
          onConfirm={async () => {
            await call('DELETE', `/admin/v1/routes/${encodeURIComponent(open.route.name)}`)
            reload()
          }}
          onClose={close}
        />
      )}
    </Page>
  )
}
