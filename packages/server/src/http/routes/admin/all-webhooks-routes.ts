import { operatorWebhookBody, operatorWebhookListParameters } from '@framegate/contract'
import { findOperatorWebhook, listOperatorWebhooks, type WebhookOfAccount } from '../../../admin/operator-webhooks.ts'
import { AppError } from '../../../lib/app-error.ts'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { numberOfCursor } from './number-of-cursor.ts'
import { readBody } from './read-body.ts'

/** Adds the operator's routes that list and disable the webhooks of all accounts. */
export function addAllWebhooksRoutes(
  add: AddAdminRoute,
  { store, webhooks }: Pick<HttpDependencies, 'store' | 'webhooks'>,
): void {
  const { database } = store

  async function requireWebhook(id = ''): Promise<WebhookOfAccount> {
    const webhook = await findOperatorWebhook(database, id)
    if (webhook === undefined) throw new AppError('resource_not_found', `There is no webhook with the id ${id}.`)
    return webhook
  }

  add('GET', '/webhooks', async ({ request }) => {
    const { limit, cursor, failing, account } = readQueryParameters(request.query, operatorWebhookListParameters)
    const filters = { isFailingOnly: failing === 'true', accountId: account, afterNo: numberOfCursor(cursor) ?? 0 }
    const webhooks = await listOperatorWebhooks(database, filters, limit + 1)
    const page = webhooks.slice(0, limit)
    return listOf(
      page.map(({ view }) => view),
      webhooks.length > limit ? String(page.at(-1)?.no) : null,
    )
  })

  add('PATCH', '/webhooks/:id', async ({ request, params, audit }) => {
    const { enabled } = readBody(request, operatorWebhookBody)
    const { accountNo, view } = await requireWebhook(params['id'])
    const extraStatements = audit('webhook.change', { enabled: view.enabled }, { enabled })(view.id)
    const isSuspended = view.disabled_reason === 'suspended'
    if (view.enabled !== enabled || isSuspended === enabled)
      await webhooks.setSuspended(accountNo, view.id, !enabled, extraStatements)
    return (await requireWebhook(view.id)).view
  })
}
