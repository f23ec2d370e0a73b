import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Task, TaskStatus, Timeline } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { askServer } from '../connection/ask-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitCodeOf } from '../generation/follow-task.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { sayOnStderr, writeJson, writeJsonOf, writeLine } from '../terminal/write.ts'
import { addDownloadCommand } from './download-tasks.ts'
import { addWaitCommand } from './wait-for-tasks.ts'

interface ListOptions extends ConnectionOptions {
  status?: TaskStatus
  model?: string
  object?: 'image' | 'video'
  since?: number
  until?: number
  limit: number
  json?: true
}

interface IdOptions extends ConnectionOptions {
  json?: true
}

const listedDefault = 20
const listedMax = 10_000
const pageSizeMax = 100

export function addTasksCommand(program: Command, setExitCode: (code: number) => void): void {
  const tasks = program
    .command('tasks')
    .summary('list, look at, wait for, cancel and download tasks')
    .description('List, look at, wait for, cancel and download the tasks of an account.')
    .helpCommand(false)
  addExamples(tasks, [
    'framegate tasks list --status processing',
    'framegate tasks wait task_0197c0de...',
    'framegate tasks download task_0197c0de... -o fox.mp4',
  ])

  const list = tasks
    .command('list')
    .description('Show the tasks of the account, newest first.')
    .addOption(
      new Option('--status <status>', 'only tasks in this status').choices(['queued', 'processing', 'completed', 'failed']),
    )
    .option('--model <id>', 'only tasks of this Model ID')
    .addOption(new Option('--object <kind>', 'only tasks that make this').choices(['image', 'video']))
    .option('--since <time>', 'only tasks made at this time or later, such as 2026-03-01 or 2026-03-01T12:00Z', unixSeconds)
    .option('--until <time>', 'only tasks made before this time', unixSeconds)
    .option('--limit <number>', 'how many', wholeNumber(1, listedMax), listedDefault)
  addConnectionOptions(list)
    .option('--json', 'print an array of tasks')
    .action(async (options: ListOptions) => setExitCode(await listTasks(options)))
  addExamples(list, [
    'framegate tasks list',
    'framegate tasks list --status failed --since 2026-03-01',
    `framegate tasks list --limit 1000 --json | jq -r '.[].id'`,
  ])

  const get = tasks.command('get').description('Show tasks as they are now.').argument('<id...>', 'task ids')
  addConnectionOptions(get)
    .option('--json', 'print the task as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: IdOptions) => setExitCode(await getTasks(ids, options)))
  addExamples(get, ['framegate tasks get task_0197c0de...', 'framegate tasks get task_0197c0de... --json | jq -r .result_url'])

  const timeline = tasks
    .command('timeline')
    .description('Show what has happened to a task: its attempts, and where the credits held for it went.')
    .argument('<id>', 'a task id')
  addConnectionOptions(timeline)
    .option('--json', 'print the timeline as JSON')
    .action(async (id: string, options: IdOptions) => setExitCode(await showTimeline(id, options)))
  addExamples(timeline, ['framegate tasks timeline task_0197c0de...'])

  addWaitCommand(tasks, setExitCode)

  const cancel = tasks.command('cancel').description('End tasks and get the held credits back.').argument('<id...>', 'task ids')
  addConnectionOptions(cancel)
    .option('--json', 'print the task as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: IdOptions) => setExitCode(await cancelTasks(ids, options)))
  addExamples(
    cancel,
    [
      'framegate tasks cancel task_0197c0de...',
      `framegate tasks list --status queued --json | jq -r '.[].id' | xargs -r framegate tasks cancel`,
    ],
    'It ends with 1 when one of them had ended before; the others are cancelled all the same.',
  )

  addDownloadCommand(tasks, setExitCode)
}

async function listTasks({ status, model, object, since, until, limit, ...options }: ListOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const filters = { status, model, object, created_after: since, created_before: until }
    const tasks: Task[] = []
    const page = await client.tasks.list({ ...call, ...filters, limit: Math.min(limit, pageSizeMax) })
    for await (const task of page) {
      tasks.push(task)
      if (tasks.length === limit) break
    }
    if (options.json) writeJson(tasks)
    else if (tasks.length === 0) sayOnStderr('There are no such tasks.')
    else writeLine(table(['ID', 'STATUS', 'PROGRESS', 'CREDITS', 'CREATED', 'MODEL'], tasks.map(row)))
    return exitCodes.ok
  })
}

async function getTasks(ids: readonly string[], options: IdOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const tasks = await Promise.all(ids.map(async (id) => client.tasks.get(id, call)))
    if (options.json) writeJsonOf(tasks, ids.length)
    else writeLine(tasks.map(describe).join('\n\n'))
    return exitCodes.ok
  })
}

async function showTimeline(id: string, options: IdOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const timeline = await client.tasks.timeline(id, call)
    if (options.json) writeJson(timeline)
    else writeLine(table(['AT', 'EVENT', 'WHAT'], timeline.events.map(happening)))
    return exitCodes.ok
  })
}

type Happening = Timeline['events'][number]

function happening({ at, event, amount, attempt, route, outcome, error_code, reason, ...waiting }: Happening): string[] {
  const what = [
    attempt === undefined ? undefined : `attempt ${attempt} at ${route}`,
    outcome,
    amount === undefined ? undefined : `${amount} credits`,
    error_code,
    reason,
    ...waitingText(waiting),
  ]
  return [timeText(at) ?? '', event.replace('_', ' '), what.filter((part) => part !== undefined).join(', ')]
}

function waitingText({ for: cause, next_try, routes = [] }: Pick<Happening, 'for' | 'next_try' | 'routes'>): string[] {
  if (cause === undefined) return []
  const next = next_try === undefined ? [] : [`next try ${timeText(next_try)}`]
  const states = routes.map(({ route, upstream, condition, until }) => {
    const end = until === null ? '' : ` until ${timeText(until)}`
    return `${route} (${upstream}) ${condition.replaceAll('_', ' ')}${end}`
  })
  return [causesOfWaiting[cause], ...next, ...states]
}

const causesOfWaiting = {
  free_slot: 'for a free slot',
  provider_throttled: 'for a provider that is throttling',
  provider_unavailable: 'for a provider that is unavailable',
  account_limit: 'for a limit of the account',
  delay: 'for the end of its delay',
  start: 'about to be started',
} as const satisfies Record<NonNullable<Happening['for']>, string>

async function cancelTasks(ids: readonly string[], options: IdOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const cancelled: Task[] = []
    const failures: CommandFailure[] = []
    for (const id of ids) {
      try {
        const task = await client.tasks.cancel(id, call)
        cancelled.push(task)
        if (!options.json) writeLine(`${task.id} cancelled`)
      } catch (error) {
        const explained = explainFailure(error)
        if (call.signal.aborted || !(explained instanceof CommandFailure)) throw error
        failures.push(explained)
        sayOnStderr(explained.message)
      }
    }
    if (options.json && cancelled.length > 0) writeJsonOf(cancelled, ids.length)
    return exitCodeOf(failures)
  })
}

function row({ id, status, progress, amount, created, model }: Task): string[] {
  return [id, status, `${progress} %`, String(amount), timeText(created) ?? '', model]
}

function describe(task: Task): string {
  return facts([
    ['id', task.id],
    ['status', task.status],
    ['progress', `${task.progress} %`],
    ['model', task.model],
    ['makes', task.object],
    ['credits', String(task.amount)],
    ['created', timeText(task.created)],
    ['started', timeText(task.started)],
    ['ended', timeText(task.completed)],
    ['duration', task.actualDuration === null ? null : `${task.actualDuration} s`],
    ['seed', task.seed === undefined ? null : String(task.seed)],
    ['error', task.error],
    ['error code', task.error_code],
    ['result', task.result_expired ? 'no longer kept' : task.result_url],
    ['until', timeText(task.expires_at)],
  ])
}

function unixSeconds(text: string): number {
  const milliseconds = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1000)
  throw new InvalidArgumentError('It must be a time such as 2026-03-01, 2026-03-01T12:00Z, or Unix seconds.')
}
