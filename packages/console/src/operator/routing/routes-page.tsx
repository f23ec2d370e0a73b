import { useState } from 'preact/hooks'
import type { AdminRoute, AdminUpstream, RouteTest } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { texts } from '../../language/language.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { notify, notifyError } from '../../parts/toasts.tsx'
import { useShown } from '../../parts/use-shown.ts'
import { Page } from '../../shell/page.tsx'
import { ExplainDialog } from './explain-dialog.tsx'
import { OrderDialog, type RouteOrder } from './order-dialog.tsx'
import { bodyOfRoute } from './route-fields.ts'
import { prioritiesAfterMove } from './route-order.ts'
import { RouteDialog, type OpenRouteDialog } from './route-dialog.tsx'
import { RouteTable } from './route-table.tsx'
import { RouteTests } from './route-tests.tsx'
import { useRouteDrag } from './use-route-drag.ts'

/** Page with the routes: which upstream serves which model, in which order. */
export function RoutesPage() {
  const t = texts.value
  const { data, error, reload } = useLoad<ListPage<AdminRoute>>('/admin/v1/routes')
  const upstreams = useLoad<ListPage<AdminUpstream>>('/admin/v1/upstreams')
  const [open, setOpen] = useState<OpenRouteDialog | null>(null)
  const [order, setOrder] = useState<RouteOrder | null>(null)
  const [tests, setTests] = useState<RouteTest | null>(null)
  const [isExplainOpen, setExplainOpen] = useState(false)
  useRefresh(reload)
  const routesOf = (model: string): readonly AdminRoute[] => data?.items.filter((route) => route.model === model) ?? []

  async function setRoute(name: string, body: unknown): Promise<void> {
    await call('PUT', `/admin/v1/routes/${encodeURIComponent(name)}`, { body })
    reload()
  }

  /** Tests the routes of a model, or all routes. */
  async function test(model?: string): Promise<void> {
    setTests(await call<RouteTest>('POST', '/admin/v1/routes/test', { body: model === undefined ? {} : { model } }))
  }

  /**
   * Opens the dialog that changes the priority of a route by a number of steps. Routes with a lower
   * priority number are tried first.
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
        <RouteTable
          routes={shownRoutes.items}
          attributesOf={attributesOf}
          onMove={move}
          onTest={({ model }) => void test(model).catch(notifyError)}
          onOpen={setOpen}
        />
      )}
      <MoreButton pages={shownRoutes} />
      {isExplainOpen && <ExplainDialog onClose={() => setExplainOpen(false)} />}
      {order !== null && <OrderDialog order={order} onConfirm={() => reorder(order)} onClose={() => setOrder(null)} />}
      {open !== null && (
        <RouteDialog
          open={open}
          upstreamNames={upstreams.data?.items.map(({ name }) => name) ?? []}
          isLastOfModel={open !== 'new' && routesOf(open.route.model).length === 1}
          onSet={setRoute}
          onChanged={reload}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}
