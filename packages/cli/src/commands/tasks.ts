import type { Command } from 'commander'
import type { Task, Timeline } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { readAndShow } from '../operation/call-and-show.ts'
import { callEach } from '../operation/call-each.ts'
import { addTaskFilters, queryOf, type TaskFilters } from '../operation/task-filters.ts'
import { parameterFacts } from '../terminal/parameter-facts.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { writeJson, writeJsonItemOrArray, writeLine } from '../terminal/write.ts'
import { addDeleteCommand } from './delete-tasks.ts'
import { addDownloadCommand } from './download-tasks.ts'
import { addHeldTaskCommands } from './held-tasks.ts'
import { addWaitCommand } from './wait-for-tasks.ts'

interface ListOptions extends ConnectionOptions, TaskFilters {
  search?: string
  limit: number
  cursor?: string
  json?: true
}

interface IdOptions extends ConnectionOptions {
  json?: true
}

const columns: (string | Column)[] = [
  'ID',
  'STATUS',
  { heading: 'PROGRESS', rank: 1 },
  { heading: 'CREDITS', rank: 3 },
  { heading: 'CREATED', rank: 2 },
  { heading: 'MODEL', long: 'shorten', rank: 4 },
  { heading: 'PROMPT', long: 'shorten' },
]
const defaultLimit = 20
const limitMax = 10_000

export function addTasksCommand(program: Command, setExitCode: (code: number) => void): void {
  const tasks = program
    .command('tasks')
    .summary('list, get, wait for, cancel, delete and download tasks')
    .description('List, get, wait for, cancel, delete and download the tasks of an account.')
    .helpCommand(false)
  addExamples(tasks, [
    'framegate tasks list --status processing',
    'framegate tasks wait task_0197c0de...',
    'framegate tasks download task_0197c0de... -o fox.mp4',
  ])

  const list = addTaskFilters(tasks.command('list').description('Show the tasks of the account, newest first.'))
    .option('--search <words>', 'only tasks whose prompt contains each of these words')
    .option('--limit <number>', 'maximum number of tasks', wholeNumber(1, limitMax), defaultLimit)
    .option('--cursor <cursor>', 'where to start: `next_cursor` of the previous list, from --json')
  addConnectionOptions(list)
    .option('--json', 'print a list of tasks as JSON')
    .action(async (options: ListOptions) => setExitCode(await listTasks(options)))
  addExamples(list, [
    'framegate tasks list',
    'framegate tasks list --status failed --since 2026-03-01',
    'framegate tasks list --search "red fox"',
    `framegate tasks list --limit 1000 --json | jq -r '.items[].id'`,
  ])

  const get = tasks.command('get').description('Show the current state of tasks.').argument('<id...>', 'task ids')
  addConnectionOptions(get)
    .option('--json', 'print the task as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: IdOptions) => setExitCode(await getTasks(ids, options)))
  addExamples(get, ['framegate tasks get task_0197c0de...', 'framegate tasks get task_0197c0de... --json | jq -r .result_url'])

  const timeline = tasks
    .command('timeline')
    .description('Show the timeline of a task: its attempts, and the credits held and charged for it.')
    .argument('<id>', 'a task id')
  addConnectionOptions(timeline)
    .option('--json', 'print the timeline as JSON')
    .action(async (id: string, options: IdOptions) => setExitCode(await showTimeline(id, options)))
  addExamples(timeline, ['framegate tasks timeline task_0197c0de...'])

  addWaitCommand(tasks, setExitCode)

  const cancel = tasks
    .command('cancel')
    .description('Cancel tasks, and release the credits held for them.')
    .argument('<id...>', 'task ids')
  addConnectionOptions(cancel)
    .option('--json', 'print the task as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: IdOptions) => setExitCode(await cancelTasks(ids, options)))
  addExamples(
    cancel,
    [
      'framegate tasks cancel task_0197c0de...',
      `framegate tasks list --status queued --json | jq -r '.items[].id' | xargs -r framegate tasks cancel`,
    ],
    'The exit code is 1 if a task had already ended; the command continues with the others.',
  )

  addDeleteCommand(tasks, setExitCode)
  addDownloadCommand(tasks, setExitCode)
  addHeldTaskCommands(tasks, setExitCode)
}

const noTasks = 'The account has no tasks yet. Submit one with framegate generate "a red fox in the snow".'
const noMatchingTasks = 'No tasks match the filters. Without filters, framegate tasks list shows the newest tasks.'

async function listTasks({ limit, cursor, search, ...options }: ListOptions): Promise<number> {
  const query = { ...queryOf(options), q: search }
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  const request = { path: '/v2/model-center/tasks', query, limit, cursor }
  return readAndShow<Task>(options, request, {
    describe: (tasks) => table(columns, tasks.map(rowOf)),
    whenEmpty: isFiltered ? noMatchingTasks : noTasks,
  })
}

async function getTasks(ids: readonly string[], options: IdOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    const tasks = await Promise.all(ids.map(async (id) => client.tasks.get(id, call)))
    if (options.json) writeJsonItemOrArray(tasks, ids.length)
    else writeLine(tasks.map(describe).join('\n\n'))
    return exitCodes.ok
  })
}

async function showTimeline(id: string, options: IdOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    const timeline = await client.tasks.timeline(id, call)
    if (options.json) writeJson(timeline)
    else writeLine(table(['AT', 'EVENT', { heading: 'DETAILS', long: 'wrap' }], timeline.events.map(eventRow)))
    return exitCodes.ok
  })
}

type TimelineEventOfTask = Timeline['events'][number]

function eventRow({ at, event, amount, attempt, route, outcome, error_code, reason, ...waiting }: TimelineEventOfTask): string[] {
  const details = [
    attempt === undefined ? undefined : `attempt ${attempt} at ${route}`,
    outcome === 'not_accepted' ? 'not accepted by the upstream' : outcome,
    amount === undefined ? undefined : `${amount} credits`,
    error_code,
    reason,
    ...waitingText(waiting),
  ]
  return [timeText(at) ?? '', event.replace('_', ' '), details.filter((part) => part !== undefined).join(', ')]
}

function waitingText({ for: cause, next_try, routes = [] }: Pick<TimelineEventOfTask, 'for' | 'next_try' | 'routes'>): string[] {
  if (cause === undefined) return []
  const nextTryText = next_try === undefined ? [] : [`next try ${timeText(next_try)}`]
  const states = routes.map(({ route, upstream, condition, until }) => {
    const end = until === null ? '' : ` until ${timeText(until)}`
    return `${route} (${upstream}) ${condition.replaceAll('_', ' ')}${end}`
  })
  return [causesOfWaiting[cause], ...nextTryText, ...states]
}

const causesOfWaiting = {
  free_slot: 'for a free slot',
  provider_throttled: 'for a provider that throttles requests',
  provider_unavailable: 'for a provider that is unavailable',
  account_limit: 'for a limit of the key, the account or the brand',
  delay: 'for the end of its delay',
  start: 'about to be started',
  operator: 'for an operator: the installation was restored from a backup',
} as const satisfies Record<NonNullable<TimelineEventOfTask['for']>, string>

async function cancelTasks(ids: readonly string[], options: IdOptions): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const { client, call } = session
    const { results: cancelledTasks, exitCode } = await callEach(session, ids, options, async (id) => {
      const task = await client.tasks.cancel(id, call)
      if (!options.json) writeLine(`${task.id} cancelled`)
      return task
    })
    if (options.json && cancelledTasks.length > 0) writeJsonItemOrArray(cancelledTasks, ids.length)
    return exitCode
  })
}

function rowOf({ id, status, progress, amount, created, model, prompt = '' }: Task): string[] {
  return [id, status, `${progress} %`, String(amount), timeText(created) ?? '', model, prompt]
}

function describe(task: Task): string {
  return facts([
    ['id', task.id],
    ['status', task.status],
    ['progress', `${task.progress} %`],
    ['model', task.model],
    ['result type', task.object],
    ['credits', String(task.amount)],
    ['created', timeText(task.created)],
    ['started', timeText(task.started)],
    ['ended', timeText(task.completed)],
    ['duration', task.actualDuration === null ? null : `${task.actualDuration} s`],
    ['seed', task.seed === undefined ? null : String(task.seed)],
    ['error', task.error],
    ['error code', task.error_code],
    ['result', task.result_expired ? 'removed' : task.result_url],
    ['thumbnail', task.thumbnail_url],
    ['result until', timeText(task.expires_at)],
    ...parameterFacts(task),
  ])
}
