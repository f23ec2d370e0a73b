import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { callServer, type ServerSession } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { callEach } from '../operation/call-each.ts'
import { listAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { everyPage } from '../operation/every-page.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { table, type Column } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { explain, writeJson, writeJsonItemOrArray, writeLine } from '../terminal/write.ts'

interface HeldTask {
  id: string
  account: string
  account_name: string
  model: string
  created: number
  amount: number
  attempts: number
}

interface DecideOptions extends JsonOptions {
  all?: true
}

type Decision = 'release' | 'fail'

const path = '/admin/v1/held-tasks'
const columns: (string | Column)[] = [
  'ID',
  { heading: 'ACCOUNT', rank: 1 },
  { heading: 'ACCOUNT NAME', long: 'shorten', rank: 5 },
  { heading: 'CREATED', rank: 3 },
  'CREDITS',
  { heading: 'ATTEMPTS', rank: 4 },
  { heading: 'MODEL ID', long: 'shorten', rank: 2 },
]
/** Pause between requests, because an operator's key may send at most 50 requests per second. */
const pauseMs = 25

/** Adds the commands that show, release and fail the tasks on hold of a restored installation. */
export function addHeldTaskCommands(tasks: Command, setExitCode: (code: number) => void): void {
  const heldCommand = tasks
    .command('held')
    .description('For the operator: show the tasks on hold after the installation was restored from a backup, oldest first.')
  addConnectionOptions(heldCommand)
    .option('--json', 'print a list of tasks on hold as JSON')
    .action(async (options: JsonOptions) => setExitCode(await showHeld(options)))
  addExamples(heldCommand, ['framegate tasks held', `framegate tasks held --json | jq -r '.items[].id'`], operatorNotes)

  addDecision('release', 'For the operator: run tasks on hold. An upstream may charge for them a second time.')
  addDecision('fail', 'For the operator: fail tasks on hold. The account is not charged, and the client may submit them again.')

  function addDecision(decision: Decision, description: string): void {
    const command = tasks.command(decision).description(description).argument('[id...]', 'task ids')
    addConnectionOptions(command)
      .option('--all', 'every task on hold')
      .option('--json', 'print the task as JSON: an object, or an array for several tasks')
      .action(async (ids: string[], options: DecideOptions) => setExitCode(await decide(decision, ids, options)))
    addExamples(
      command,
      [`framegate tasks ${decision} task_0197c0de...`, `framegate tasks ${decision} --all`],
      `The exit code is 2 if a task is not on hold; the command continues with the others. ${operatorNotes}`,
    )
  }
}

const noneOnHold = 'No task is on hold. Only tasks of an installation that was restored from a backup can be on hold.'

async function showHeld(options: JsonOptions): Promise<number> {
  return listAndShow(options, (session) => everyPage<HeldTask>(session, path), {
    describe(heldTasks) {
      const rows = heldTasks.map(({ id, account, account_name, created, amount, attempts, model }) => [
        id,
        account,
        account_name,
        timeText(created) ?? '',
        String(amount),
        String(attempts),
        model,
      ])
      return table(columns, rows)
    },
    whenEmpty: noneOnHold,
  })
}

async function decide(decision: Decision, idArguments: readonly string[], { all, ...options }: DecideOptions): Promise<number> {
  if (idArguments.length > 0 === (all === true)) throw new CommandFailure(exitCodes.usage, 'Give task ids, or --all.')
  return callServer(options, 'require server', async (session) => {
    const ids = all ? (await everyPage<HeldTask>(session, path)).map(({ id }) => id) : idArguments
    const { results: decisions, exitCode } = await callEach(session, ids, options, async (id) => {
      const task = await decideOne(decision, id, session)
      if (!options.json) writeLine(`${id} ${decision === 'release' ? 'released' : 'failed'}`)
      return task
    })
    if (options.json && all) writeJson(decisions)
    else if (options.json && decisions.length > 0) writeJsonItemOrArray(decisions, idArguments.length)
    else if (ids.length === 0) explain(noneOnHold)
    return exitCode
  })
}

async function decideOne(decision: Decision, id: string, { client, call }: ServerSession): Promise<HeldTask> {
  await sleep(pauseMs)
  return client.request<HeldTask>({ method: 'POST', path: `${path}/${encodeURIComponent(id)}/${decision}` }, call)
}
