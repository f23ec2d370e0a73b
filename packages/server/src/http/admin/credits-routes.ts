import { adjustmentBody, grantBody } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { accountView, selectAccounts } from '../../admin/account-view.ts'
import { recordChange } from '../../admin/audit-log.ts'
import { AppError } from '../../lib/app-error.ts'
import { readIdempotencyKey } from '../idempotency-key.ts'
import type { HttpContext } from '../services.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { microCreditsOf } from './credits-of.ts'
import { readBody } from './read-body.ts'

const usualNote = 'granted by the operator'

export function addAccountCreditsRoutes(add: AddAdminRoute, { store, clock }: HttpContext): void {
  const { query } = store

  async function find(id: string | undefined) {
    const row = await selectAccounts(query, clock())
      .where('account.id', '=', id ?? '')
      .executeTakeFirst()
    if (row === undefined) throw new AppError('resource_not_found', `There is no account with the id ${id}.`)
    return { no: row.no, view: accountView(row) }
  }

  add('POST', '/accounts/:id/grants', async ({ request, reply, params, keyNo }) => {
    const { no, view } = await find(params['id'])
    const body = readBody(request, grantBody)
    const { note = usualNote, expires_at } = body
    const options = {
      expiresAtMs: expires_at === undefined ? undefined : expires_at * 1000,
      reference: referenceOf(request, keyNo) ?? undefined,
    }
    const granting = store.grant(no, atLeastOne(body.amount), note, options)
    const recording = recordChange(query, { keyNo, action: 'credits.grant', target: view.id, before: view, after: body }, clock())
    const [isNew] = await Promise.all([granting, recording])
    if (!isNew) reply.header('idempotency-replayed', 'true')
    return (await find(view.id)).view
  })

  add('POST', '/accounts/:id/adjustments', async ({ request, params, keyNo }) => {
    const { no, view } = await find(params['id'])
    const body = readBody(request, adjustmentBody)
    const adjusting = store.adjust(no, atLeastOne(body.amount), body.note, referenceOf(request, keyNo))
    const recording = recordChange(
      query,
      { keyNo, action: 'credits.adjust', target: view.id, before: view, after: body },
      clock(),
    )
    const [isCovered] = await Promise.all([adjusting, recording])
    if (!isCovered) throw new AppError('insufficient_credits', `The balance is ${view.balance} credits, and cannot fall below 0.`)
    return (await find(view.id)).view
  })
}

/** The request's name among those of the key. */
function referenceOf(request: FastifyRequest, keyNo: number): string | null {
  const name = readIdempotencyKey(request)
  return name === null ? null : `${keyNo}:${name}`
}

function atLeastOne(credits: number): number {
  const microCredits = microCreditsOf(credits)
  if (microCredits !== 0) return microCredits
  throw new AppError('invalid_parameter', 'amount must be at least a millionth of a credit.', { param: 'amount' })
}
