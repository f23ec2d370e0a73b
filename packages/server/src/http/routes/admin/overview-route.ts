import { createOverview } from '../../../admin/overview.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'

export function addOverviewRoute(
  add: AddAdminRoute,
  { store, ledgerCheck, clock }: Pick<HttpDependencies, 'store' | 'ledgerCheck' | 'clock'>,
): void {
  const readOverview = createOverview({ store, ledgerCheck, clock })
  add('GET', '/overview', readOverview)
}
