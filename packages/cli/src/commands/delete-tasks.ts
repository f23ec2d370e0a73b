import type { Command } from 'commander'
import type { DeletedTask, DeletedTasks } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { callServer, type ServerSession } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { callEach } from '../operation/call-each.ts'
import { addTaskFilters, queryOf, type TaskFilters } from '../operation/task-filters.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeToStderr, writeJson, writeJsonItemOrArray, writeLine } from '../terminal/write.ts'

interface DeleteOptions extends ConnectionOptions, TaskFilters {
  all?: true
  account?: string
  anyAccount?: true
  json?: true
}

const ownTasksPath = '/v2/model-center/tasks'

export function addDeleteCommand(tasks: Command, setExitCode: (code: number) => void): void {
  const command = addTaskFilters(
    tasks
      .command('delete')
      .description('Permanently delete tasks, including their results, prompts and inputs, by id or by filter.')
      .argument('[id...]', 'task ids'),
  )
    .option('--all', 'every task of the account')
    .option('--account <id>', 'operators only: delete tasks of this account; requires filters or `--all`')
    .option('--any-account', 'operators only: delete the given ids, whichever account owns them')
  addConnectionOptions(command)
    .option('--json', "print the server's response as JSON")
    .action(async (ids: string[], options: DeleteOptions) => setExitCode(await deleteTasks(ids, options)))
  addExamples(
    command,
    [
      'framegate tasks delete task_0197c0de...',
      'framegate tasks delete --status failed --until 2026-03-01',
      'framegate tasks delete --account acct_1 --all',
      'framegate tasks delete --any-account task_0197c0de...',
    ],
    'Running tasks are cancelled first. The exit code is 2 if a task does not exist; the command continues with the others.',
  )
}

async function deleteTasks(ids: readonly string[], { all, account, anyAccount, ...options }: DeleteOptions): Promise<number> {
  const filters = queryOf(options)
  const hasSelection = all === true || Object.values(filters).some((value) => value !== undefined)
  if (ids.length > 0 === hasSelection) {
    throw new CommandFailure(exitCodes.usage, 'Give either task ids or a selection (filters such as --status, or --all).')
  }
  if (ids.length > 0 && account !== undefined) {
    throw new CommandFailure(exitCodes.usage, '--account needs filters or --all. It cannot be combined with task ids.')
  }
  if (ids.length === 0 && anyAccount) {
    throw new CommandFailure(exitCodes.usage, '--any-account needs task ids. --account selects the tasks of one account.')
  }
  return callServer(options, 'require server', async (session) => {
    if (ids.length > 0) return deleteEach(ids, { ...options, ...(anyAccount && { anyAccount }) }, session)
    const path = account === undefined ? ownTasksPath : `/admin/v1/accounts/${encodeURIComponent(account)}/tasks`
    const query = { ...filters, ...(all && { all: 'true' }) }
    let deletedCount = 0
    let cursor: string | undefined
    do {
      const request = { method: 'DELETE', path, query: { ...query, cursor } } as const
      const response: DeletedTasks = await session.client.request<DeletedTasks>(request, session.call)
      deletedCount += response.deleted
      cursor = response.next_cursor ?? undefined
      if (cursor !== undefined && options.json === undefined) writeToStderr(`${deletedCount} tasks deleted so far`)
    } while (cursor !== undefined)
    if (options.json)
      writeJson({ object: 'deleted_tasks', deleted: deletedCount, has_more: false, next_cursor: null } satisfies DeletedTasks)
    else writeLine(`${deletedCount} ${deletedCount === 1 ? 'task' : 'tasks'} deleted`)
    return exitCodes.ok
  })
}

async function deleteEach(ids: readonly string[], options: DeleteOptions, session: ServerSession): Promise<number> {
  const { client, call } = session
  const { results: deletedTasks, exitCode } = await callEach(session, ids, options, async (id): Promise<DeletedTask> => {
    const task = options.anyAccount
      ? await client.request<DeletedTask>({ method: 'DELETE', path: `/admin/v1/tasks/${encodeURIComponent(id)}` }, call)
      : await client.tasks.delete(id, call)
    if (!options.json) writeLine(`${id} deleted`)
    return task
  })
  if (options.json && deletedTasks.length > 0) writeJsonItemOrArray(deletedTasks, ids.length)
  return exitCode
}
