import { attemptListParameters, attemptResolveBody, type AdminAttempt, type AttemptResolution } from '@framegate/contract'
import { sql } from 'kysely'
import { findAttempt, listAttempts, readAttemptKey, type AttemptKey } from '../../../admin/attempts.ts'
import { unlessDeleted } from '../../../db/unless-deleted.ts'
import { AppError } from '../../../lib/app-error.ts'
import { listOf } from '../../responses/list-text.ts'
import { invalidParameter, readQueryParameters } from '../../parameters/query-parameters.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'

export function addAttemptRoutes(add: AddAdminRoute, { store, clock }: Pick<HttpDependencies, 'store' | 'clock'>): void {
  const { query } = store

  async function requireAttempt(id = ''): Promise<{ key: AttemptKey; view: AdminAttempt }> {
    const key = readAttemptKey(id)
    const view = key && (await findAttempt(query, key))
    if (key === undefined || view === undefined) {
      throw new AppError('resource_not_found', `There is no attempt with the id ${id}.`)
    }
    return { key, view }
  }

  add('GET', '/attempts', async ({ request }) => {
    const { limit, cursor, unresolved, reason, task } = readQueryParameters(request.query, attemptListParameters)
    const beforeKey = cursor === undefined ? undefined : readAttemptKey(cursor)
    if (cursor !== undefined && beforeKey === undefined) {
      throw invalidParameter('cursor', 'cursor must be the next_cursor of an earlier page.')
    }
    const filters = { isUnresolvedOnly: unresolved === 'true', reason, taskId: task, before: beforeKey }
    const attempts = await listAttempts(query, filters, limit + 1)
    const page = attempts.slice(0, limit)
    return listOf(page, attempts.length > limit ? (page.at(-1)?.id ?? null) : null)
  })

  add('GET', '/attempts/:id', async ({ params }) => (await requireAttempt(params['id'])).view)

  add('POST', '/attempts/:id/resolve', async ({ request, params, audit }) => {
    const { resolution, note = null } = readBody(request, attemptResolveBody)
    const { key, view } = await requireAttempt(params['id'])
    if (view.reason === null) throw new AppError('conflict', 'This attempt needs no resolution.')
    const change = query
      .updateTable('task_attempts')
      .set({
        closed_at: clock(),
        closing: resolution,
        closing_note: note,
        operation: unlessDeleted(sql.ref('operation')),
        ...(isFree(resolution) && { paid: 0 }),
      })
      .where('task_no', '=', key.taskNo)
      .where('number', '=', key.number)
      .where('closed_at', 'is', null)
    const extraStatements = audit('attempt.resolve', view, { resolution, note })(view.id)
    const isChanged = await store.writeAtomically(change.compile(), ...extraStatements)
    const after = (await requireAttempt(view.id)).view
    if (isChanged || (after.resolution === resolution && after.note === note)) return after
    throw new AppError('conflict', `This attempt was already resolved as ${after.resolution}.`)
  })
}

/** Whether the upstream charged nothing for the attempt, or refunded it. */
function isFree(resolution: AttemptResolution): boolean {
  return resolution === 'was_not_started' || resolution === 'not_charged_upstream' || resolution === 'refunded_upstream'
}
