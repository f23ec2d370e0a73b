import { accountChangeBody, accountCreateBody, adminListParameters, type Account } from '@framegate/contract'
import { accountView, selectAccounts } from '../../../admin/account-view.ts'
import { changeAccount, createAccount } from '../../../auth/accounts.ts'
import { AppError } from '../../../lib/app-error.ts'
import { microCreditsOf } from '../../../credits/micro-credits.ts'
import { mapNullable } from '../../../lib/map-nullable.ts'
import { principalOf } from '../../authorize.ts'
import { listOf } from '../../responses/list-text.ts'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { numberOfCursor } from './number-of-cursor.ts'
import { readBody } from './read-body.ts'
import { requireAccount } from './require-account.ts'

export function addAccountRoutes(add: AddAdminRoute, dependencies: HttpDependencies): void {
  const { store, keys, clock } = dependencies
  const { database } = store

  async function readAccount(id: string | undefined): Promise<Account> {
    return (await requireAccount(dependencies, id)).view
  }

  async function requireBrandNo(id: string | undefined): Promise<number> {
    const brands = database.selectFrom('brands').select('no')
    const row = await (id === undefined ? brands.where('is_default', '=', 1) : brands.where('id', '=', id)).executeTakeFirst()
    if (row === undefined) throw new AppError('invalid_parameter', `There is no brand with the id ${id}.`, { param: 'brand' })
    return row.no
  }

  add('GET', '/accounts', async ({ request }) => {
    const { limit, cursor } = readQueryParameters(request.query, adminListParameters)
    const rows = await selectAccounts(database, clock())
      .where('account.no', '>', numberOfCursor(cursor) ?? 0)
      .limit(limit + 1)
      .execute()
    const lastRow = rows.length > limit ? rows[limit - 1] : undefined
    const nextCursor = lastRow === undefined ? null : String(lastRow.no)
    return listOf(rows.slice(0, limit).map(accountView), nextCursor)
  })

  add('GET', '/accounts/:id', ({ params }) => readAccount(params['id']))

  add('POST', '/accounts', async ({ request, reply, audit }) => {
    const body = readBody(request, accountCreateBody)
    const { name, brand } = body
    const brandNo = await requireBrandNo(brand)
    const { id, isNew } = await createAccount(store, { brandNo, name }, clock(), audit('account.create', null, body))
    if (isNew) reply.code(201)
    return readAccount(id)
  })

  add('PATCH', '/accounts/:id', async ({ request, params, audit }) => {
    const { no, view: before } = await requireAccount(dependencies, params['id'])
    const body = readBody(request, accountChangeBody)
    if ((body.status ?? 'active') !== 'active' && no === principalOf(request).accountNo) throw ownAccountError()
    if (Object.keys(body).length === 0) return before
    const change = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.status !== undefined && { status: body.status }),
      ...(body.tasks_in_flight_max !== undefined && { tasksInFlightMax: body.tasks_in_flight_max }),
      ...(body.credits_in_flight_max !== undefined && {
        creditsInFlightMax: mapNullable(body.credits_in_flight_max, microCreditsOf),
      }),
      ...(body.requests_per_minute_max !== undefined && { requestsPerMinuteMax: body.requests_per_minute_max }),
      ...(body.tokens_per_minute_max !== undefined && { tokensPerMinuteMax: body.tokens_per_minute_max }),
      ...(body.over_limit !== undefined && { overLimit: body.over_limit }),
    }
    const isChanged = await changeAccount(store, before.id, change, audit('account.change', before, body))
    if (!isChanged) throw closedAccountError(body.status !== undefined)
    // This process applies the change before it responds. Other processes follow within a second.
    await keys.reload()
    return readAccount(before.id)
  })
}

function closedAccountError(hasStatus: boolean): AppError {
  const message = 'The account is closed. A closed account cannot be changed.'
  return new AppError('invalid_parameter', message, hasStatus ? { param: 'status' } : {})
}

/**
 * Error for a request that would suspend or close the account of its own key. Operators therefore
 * cannot disable all of their keys: that of the request stays valid.
 */
function ownAccountError(): AppError {
  return new AppError(
    'conflict',
    'This is the account of the requesting key, which would become invalid; use a key of another account.',
  )
}
