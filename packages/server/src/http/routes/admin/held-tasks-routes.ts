import { adminListParameters, type HeldTaskView } from '@framegate/contract'
import { findHeldTask, listHeldTasks, type HeldTask } from '../../../db/held-tasks.ts'
import type { Failure } from '../../../db/task-queue.ts'
import { AppError } from '../../../lib/app-error.ts'
import { creditsOf } from '../../../credits/micro-credits.ts'
import { createdAtMsOf, isTaskId, taskNoOf } from '../../../identity/task-id.ts'
import { listOf } from '../../responses/list-text.ts'
import { invalidParameter, readQueryParameters } from '../../parameters/query-parameters.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'

const lostByRestore: Failure = {
  code: 'lost_upstream',
  message: 'The task was lost when the service was restored from a backup. Submit it again.',
}

/** Adds the operator's routes that list, release or fail tasks on hold in a restored database. */
export function addHeldTaskRoutes(add: AddAdminRoute, { store, telemetry }: Pick<HttpDependencies, 'store' | 'telemetry'>): void {
  const { database } = store

  async function requireHeldTask(id = ''): Promise<HeldTask> {
    const task = isTaskId(id) ? await findHeldTask(database, taskNoOf(id)) : undefined
    if (task?.id !== id) throw notOnHoldError(id)
    return task
  }

  add('GET', '/held-tasks', async ({ request }) => {
    const { limit, cursor } = readQueryParameters(request.query, adminListParameters)
    if (cursor !== undefined && !isTaskId(cursor)) {
      throw invalidParameter('cursor', 'cursor must be the next_cursor of an earlier page.')
    }
    const tasks = await listHeldTasks(database, limit + 1, cursor === undefined ? 0 : taskNoOf(cursor))
    const page = tasks.slice(0, limit)
    return listOf(page.map(heldTaskView), tasks.length > limit ? (page.at(-1)?.id ?? null) : null)
  })

  add('POST', '/held-tasks/:id/release', async ({ params, audit }) => {
    const task = await requireHeldTask(params['id'])
    const view = heldTaskView(task)
    if (!(await store.releaseHeld(task.id, audit('held_task.release', view, null)(task.id)))) throw notOnHoldError(task.id)
    return view
  })

  add('POST', '/held-tasks/:id/fail', async ({ params, audit }) => {
    const task = await requireHeldTask(params['id'])
    const view = heldTaskView(task)
    const extraStatements = audit('held_task.fail', view, { error_code: lostByRestore.code })(task.id)
    if (!(await store.fail(task, lostByRestore, {}, extraStatements))) throw notOnHoldError(task.id)
    const endedTask = await store.find(task.id)
    if (endedTask !== undefined) telemetry.taskEnded(endedTask)
    return view
  })
}

function notOnHoldError(id: string): AppError {
  return new AppError('resource_not_found', `There is no task on hold with the id ${id}.`)
}

function heldTaskView({ id, accountId, accountName, model, priceMicroCredits, attempts }: HeldTask): HeldTaskView {
  return {
    object: 'held_task',
    id,
    account: accountId,
    account_name: accountName,
    model,
    created: Math.floor(createdAtMsOf(id) / 1000),
    amount: creditsOf(priceMicroCredits),
    attempts,
  }
}
