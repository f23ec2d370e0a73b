import { adjustmentBody, creditsGrantedMax, entryListParameters, grantBody } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { findBalanceChange, findGrant, grantView, type BalanceChange } from '../../../admin/grant-view.ts'
import { listEntries } from '../../../credits/list-entries.ts'
import type { AdjustOptions } from '../../../db/ledger.ts'
import { GrantLimitExceeded } from '../../../db/grant-limit-exceeded.ts'
import { AppError } from '../../../lib/app-error.ts'
import { creditsOf, microCreditsOf } from '../../../credits/micro-credits.ts'
import { readIdempotencyKey } from '../../parameters/idempotency-key.ts'
import { listOf } from '../../responses/list-text.ts'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import { readEntryFilters } from '../../parameters/read-entry-filters.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'
import { requireAccount } from './require-account.ts'

const defaultGrantNote = 'granted by the operator'

export function addAccountCreditsRoutes(add: AddAdminRoute, dependencies: HttpDependencies): void {
  const { store, clock } = dependencies

  add('POST', '/accounts/:id/grants', async ({ request, reply, params, keyNo, audit }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    const body = readBody(request, grantBody)
    const { note = defaultGrantNote, expires_at } = body
    const keyReference = keyReferenceOf(request, keyNo)
    const options = {
      expiresAtMs: expires_at === undefined ? undefined : expires_at * 1000,
      reference: body.reference === undefined ? keyReference : grantReference(no, body.reference),
      extraStatements: audit('credits.grant', view, body)(view.id),
    }
    const amount = microCreditsOf(body.amount)
    const isNew = await mapErrors(store.grant(no, amount, note, options))
    if (!isNew && body.reference === undefined) await requireSameChange(options, { kind: 'grant', accountNo: no, amount })
    if (!isNew) reply.header('idempotency-replayed', 'true')
    return (await requireAccount(dependencies, view.id)).view
  })

  add('GET', '/accounts/:id/grants/:reference', async ({ params }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    const reference = params['reference'] ?? ''
    const grant = await findGrant(store.database, grantReference(no, reference))
    if (grant !== undefined) return grantView(view.id, reference, grant)
    throw new AppError('resource_not_found', `The account has no grant with the reference ${JSON.stringify(reference)}.`)
  })

  add('POST', '/accounts/:id/adjustments', async ({ request, params, keyNo, audit }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    const body = readBody(request, adjustmentBody)
    const options = { reference: keyReferenceOf(request, keyNo), extraStatements: audit('credits.adjust', view, body)(view.id) }
    const amount = microCreditsOf(body.amount)
    const isCovered = await mapErrors(store.adjust(no, amount, body.note, options))
    await requireSameChange(options, { kind: 'adjust', accountNo: no, amount })
    if (!isCovered)
      throw new AppError('insufficient_credits', `The balance is ${view.balance} credits and must not fall below 0.`)
    return (await requireAccount(dependencies, view.id)).view
  })

  add('GET', '/accounts/:id/entries', async ({ request, params }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    const { limit, cursor, ...filters } = readQueryParameters(request.query, entryListParameters)
    const page = { limit, ...(cursor !== undefined && { cursor }) }
    const query = { accountNo: no, accountId: view.id, ...readEntryFilters(filters), ...page }
    const { entries, nextCursor } = await listEntries(store, query, clock())
    return listOf(entries, nextCursor)
  })

  /**
   * Throws if the entry with this reference is not the requested change. The Idempotency-Key of the
   * request then belongs to another change, and the requested change was not applied.
   */
  async function requireSameChange({ reference }: AdjustOptions, { kind, accountNo, amount }: BalanceChange): Promise<void> {
    const entry = reference === undefined ? undefined : await findBalanceChange(store.database, reference)
    if (entry === undefined || (entry.kind === kind && entry.accountNo === accountNo && entry.amount === amount)) return
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another grant or correction; use a new key for a new one.',
      { param: 'Idempotency-Key' },
    )
  }
}

/**
 * Returns the stored form of a grant's reference, which the client has chosen. It is the same for
 * all API keys.
 */
function grantReference(accountNo: number, reference: string): string {
  return `grant:${accountNo}:${reference}`
}

/** Returns the idempotency key of the request, prefixed with the number of the API key. */
function keyReferenceOf(request: FastifyRequest, keyNo: number): string | undefined {
  const idempotencyKey = readIdempotencyKey(request)
  return idempotencyKey === null ? undefined : `${keyNo}:${idempotencyKey}`
}

async function mapErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (!(error instanceof GrantLimitExceeded)) throw error
    const grantedText = `this account already has ${creditsOf(error.grantedMicroCredits)}`
    throw new AppError(
      'invalid_parameter',
      `amount is too large: the grants and corrections of an account may total at most ${creditsGrantedMax} credits, and ${grantedText}.`,
      { param: 'amount', cause: error },
    )
  }
}
