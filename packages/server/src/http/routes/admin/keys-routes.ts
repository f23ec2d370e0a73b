import {
  keyChangeBody,
  keyCreateBody,
  keyRotateBody,
  type ApiKey,
  type IssuedApiKey,
  type KeyBody,
  type KeyScope,
} from '@framegate/contract'
import { keyView, selectKeys } from '../../../admin/account-view.ts'
import type { KeyChange } from '../../../auth/api-keys.ts'
import { AppError } from '../../../lib/app-error.ts'
import { microCreditsOf } from '../../../credits/micro-credits.ts'
import { mapNullable } from '../../../lib/map-nullable.ts'
import { allowJsonBody } from '../../bodies/json-body.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'

const defaultName = 'key'
const defaultScopes: readonly KeyScope[] = ['tasks:write', 'tasks:read']
const defaultOverlapSeconds = 86_400

export function addKeyRoutes(add: AddAdminRoute, { store, keys }: Pick<HttpDependencies, 'store' | 'keys'>): void {
  const { database } = store

  async function readKey(id: string | undefined): Promise<ApiKey> {
    const row = await selectKeys(database)
      .where('key.id', '=', id ?? '')
      .executeTakeFirst()
    if (row === undefined) throw new AppError('resource_not_found', `There is no API key with the id ${id}.`)
    return keyView(row)
  }

  async function requireOpenAccountNo(id: string | undefined): Promise<number> {
    const account = await database
      .selectFrom('accounts')
      .select(['no', 'status'])
      .where('id', '=', id ?? '')
      .executeTakeFirst()
    if (account === undefined || account.status === 'closed') {
      throw new AppError('resource_not_found', `There is no open account with the id ${id}.`)
    }
    return account.no
  }

  add('GET', '/accounts/:id/keys', async ({ params }) => {
    const accountNo = await requireOpenAccountNo(params['id'])
    const rows = await selectKeys(database).where('key.account_no', '=', accountNo).execute()
    return listOf(rows.map(keyView), null)
  })

  add('GET', '/keys/:id', ({ params }) => readKey(params['id']))

  add('POST', '/accounts/:id/keys', async ({ request, reply, params, audit }): Promise<IssuedApiKey> => {
    const accountNo = await requireOpenAccountNo(params['id'])
    const body = readBody(request, keyCreateBody)
    const requiresUniqueName = body.unique_name ?? false
    const { id, key } = await keys.issueKey(
      { accountNo, name: defaultName, scopes: defaultScopes, expiresAtMs: null, requiresUniqueName, ...changeOf(body) },
      audit('key.create', null, { account: params['id'], name: defaultName, scopes: defaultScopes, ...body }),
    )
    reply.code(201)
    return { ...(await readKey(id)), key }
  })

  add('PATCH', '/keys/:id', async ({ request, params, audit }) => {
    const before = await readKey(params['id'])
    const body = readBody(request, keyChangeBody)
    if (Object.keys(body).length === 0) return before
    const isChanged = await keys.changeKey(before.id, changeOf(body), audit('key.change', before, body))
    if (!isChanged) throw revokedKey()
    return readKey(before.id)
  })

  add('POST', '/keys/:id/rotate', async ({ request, params, audit }): Promise<IssuedApiKey> => {
    const before = await readKey(params['id'])
    const { overlap_seconds = defaultOverlapSeconds } = request.body === undefined ? {} : readBody(request, keyRotateBody)
    const issuedKey = await keys.rotateKey(before.id, overlap_seconds * 1000, audit('key.rotate', null, { overlap_seconds }))
    if (issuedKey === undefined) throw revokedKey()
    return { ...before, key: issuedKey.key }
  })

  add('DELETE', '/keys/:id', async ({ request, params, audit }) => {
    allowJsonBody(request)
    const before = await readKey(params['id'])
    await keys.revokeKey(before.id, audit('key.revoke', before, null))
    return readKey(before.id)
  })
}

function revokedKey(): AppError {
  return new AppError('resource_not_found', 'This API key has been revoked. A revoked key cannot be reactivated.')
}

function changeOf(body: KeyBody): KeyChange {
  const { name, scopes, models, requests_per_second_max, tasks_in_flight_max, expires_at } = body
  const { requests_per_minute_max, tokens_per_minute_max } = body
  const { credits_in_flight_max, spent_per_day_max, spent_per_month_max } = body
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(models !== undefined && { models }),
    ...(requests_per_second_max !== undefined && { requestsPerSecondMax: requests_per_second_max }),
    ...(requests_per_minute_max !== undefined && { requestsPerMinuteMax: requests_per_minute_max }),
    ...(tokens_per_minute_max !== undefined && { tokensPerMinuteMax: tokens_per_minute_max }),
    ...(tasks_in_flight_max !== undefined && { tasksInFlightMax: tasks_in_flight_max }),
    ...(credits_in_flight_max !== undefined && { creditsInFlightMax: mapNullable(credits_in_flight_max, microCreditsOf) }),
    ...(spent_per_day_max !== undefined && { spentPerDayMax: mapNullable(spent_per_day_max, microCreditsOf) }),
    ...(spent_per_month_max !== undefined && { spentPerMonthMax: mapNullable(spent_per_month_max, microCreditsOf) }),
    ...(expires_at !== undefined && { expiresAtMs: mapNullable(expires_at, (seconds) => seconds * 1000) }),
  }
}
