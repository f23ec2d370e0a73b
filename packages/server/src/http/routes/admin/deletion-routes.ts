import type { Erasure } from '@framegate/contract'
import { AppError } from '../../../lib/app-error.ts'
import { deletedTasksView, deletedTaskView, readDeletion } from '../delete-tasks-routes.ts'
import { allowJsonBody } from '../../bodies/json-body.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { requireAccount } from './require-account.ts'
import { writeAudit } from './write-audit.ts'

/** Maximum time for which a request works on an erasure before it responds with the progress. */
const workMsMax = 2_000

/** Adds the routes that delete tasks of any account, and that erase accounts. */
export function addDeletionRoutes(add: AddAdminRoute, dependencies: HttpDependencies): void {
  const { deletion, erasure, keys, store } = dependencies

  add('DELETE', '/tasks/:id', async ({ params, audit }) => {
    const view = deletedTaskView(await deletion.deleteTask(params['id'] ?? '', null))
    await writeAudit(store, audit('task.delete', null, null)(view.id))
    return view
  })

  add('DELETE', '/accounts/:id/tasks', async ({ request, params, audit }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    const filters = readDeletion(request.query, no)
    const deletedTasks = deletedTasksView(await deletion.deleteTasks(filters))
    await writeAudit(
      store,
      audit('account.delete_tasks', null, { ...(request.query as object), deleted: deletedTasks.deleted })(view.id),
    )
    return deletedTasks
  })

  async function readErasure(no: number, id: string): Promise<Erasure> {
    const accountErasure = await erasure.find(no, id)
    if (accountErasure === undefined) throw new AppError('resource_not_found', `The account ${id} has no erasure.`)
    return accountErasure
  }

  add('POST', '/accounts/:id/erase', async ({ request, params, keyNo, audit }) => {
    allowJsonBody(request)
    const { no, view } = await requireAccount(dependencies, params['id'])
    if (view.status !== 'closed') {
      throw new AppError('conflict', `The account is ${view.status}; close it first, because an erasure cannot be undone.`)
    }
    await erasure.begin(no, keyNo, audit('account.erase', null, null)(view.id))
    if ((await readErasure(no, view.id)).completed === null) await erasure.work(no, AbortSignal.timeout(workMsMax))
    await keys.reload()
    return readErasure(no, view.id)
  })

  add('GET', '/accounts/:id/erasure', async ({ params }) => {
    const { no, view } = await requireAccount(dependencies, params['id'])
    return readErasure(no, view.id)
  })
}
