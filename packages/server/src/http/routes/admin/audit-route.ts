import { adminListParameters } from '@framegate/contract'
import { listChanges } from '../../../admin/audit-log.ts'
import { listOf } from '../../responses/list-text.ts'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { numberOfCursor } from './number-of-cursor.ts'

export function addAuditRoute(add: AddAdminRoute, { store }: Pick<HttpDependencies, 'store'>): void {
  add('GET', '/audit', async ({ request }) => {
    const { limit, cursor } = readQueryParameters(request.query, adminListParameters)
    const { entries, nextCursor } = await listChanges(store.query, limit, numberOfCursor(cursor) ?? Number.MAX_SAFE_INTEGER)
    return listOf(entries, nextCursor)
  })
}
