import { createOverview } from '../../../admin/overview.ts'
import type { HttpContext } from '../../services.ts'
import type { AddAdminRoute } from './admin-route.ts'

export function addOverviewRoute(add: AddAdminRoute, { store, ledgerCheck, clock }: HttpContext): void {
  const readOverview = createOverview({ store, ledgerCheck, clock })
  add('GET', '/overview', readOverview)
}
