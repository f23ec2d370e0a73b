import { Option, type Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { everyPage } from '../operation/every-page.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'

interface Attempt {
  id: string
  model: string
  account: string
  account_name: string
  route: string
  status: string
  started: number
  ended: number | null
  error: string | null
  detail: string | null
  operation: unknown
  cost: number | null
  cost_unit: string | null
  cost_credits: number | null
  reason: string | null
  resolved_at: number | null
  resolution: string | null
  note: string | null
}

interface ResolveOptions extends JsonOptions {
  as: string
  note?: string
}

const path = '/admin/v1/attempts'
const columns: (string | Column)[] = [
  'ID',
  'REASON',
  { heading: 'ROUTE', long: 'shorten', rank: 4 },
  { heading: 'STARTED', rank: 2 },
  { heading: 'COST', rank: 5 },
  { heading: 'ACCOUNT NAME', long: 'shorten', rank: 3 },
  { heading: 'MODEL ID', long: 'shorten', rank: 1 },
]
const resolutions = ['was_not_started', 'not_charged_upstream', 'refunded_upstream', 'charged_to_account', 'accepted_loss']

export function addAttemptsCommand(program: Command, setExitCode: (code: number) => void): void {
  const attempts = program
    .command('attempts')
    .summary('review attempts that an upstream may have charged without a result')
    .description(
      'For the operator: review attempts that an upstream may have charged but no account has paid for. ' +
        '`docs/routes.md` describes them.',
    )
    .helpCommand(false)
  addExamples(attempts, ['framegate attempts unresolved'], operatorNotes)

  const unresolved = attempts
    .command('unresolved')
    .description('Show the attempts that need a review, newest first.')
    .addOption(
      new Option('--reason <reason>', 'only attempts with this reason').choices([
        'lost_reply',
        'unusable_result',
        'overdue',
        'late',
      ]),
    )
  addConnectionOptions(unresolved)
    .option('--json', 'print a list of attempts as JSON')
    .action(async (options: JsonOptions & { reason?: string }) => setExitCode(await listUnresolved(options)))
  addExamples(unresolved, ['framegate attempts unresolved', 'framegate attempts unresolved --reason late --json'], operatorNotes)

  const show = attempts
    .command('show')
    .description("Show an attempt with the upstream's error message.")
    .argument('<id>', 'id of an attempt: the id of its task, `_` and the number of the attempt')
  addConnectionOptions(show)
    .option('--json', 'print the attempt as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'GET', path: pathOf(id) }, describe)),
    )
  addExamples(show, ['framegate attempts show task_0197c0d1..._1'], operatorNotes)

  const resolve = attempts
    .command('resolve')
    .description('Record the outcome of an attempt and remove it from the list. No balance changes.')
    .argument('<id>', 'id of an attempt')
    .addOption(new Option('--as <resolution>', 'outcome of the attempt').choices(resolutions).makeOptionMandatory())
    .option('--note <text>', 'note for your own records')
  addConnectionOptions(resolve)
    .option('--json', 'print the attempt as JSON')
    .action(async (id: string, { as, note, ...options }: ResolveOptions) => {
      const body = { resolution: as, ...(note !== undefined && { note }) }
      setExitCode(await requestAndShow(options, { method: 'POST', path: `${pathOf(id)}/resolve`, body }, describe))
    })
  addExamples(
    resolve,
    ['framegate attempts resolve task_0197c0d1..._1 --as refunded_upstream --note "ticket 4711"'],
    operatorNotes,
  )
}

async function listUnresolved({ reason, ...options }: JsonOptions & { reason?: string }): Promise<number> {
  return listAndShow(options, (session) => everyPage<Attempt>(session, path, { unresolved: 'true', reason }), {
    describe(attempts) {
      const rows = attempts.map((attempt) => [
        attempt.id,
        attempt.reason ?? '',
        attempt.route,
        timeText(attempt.started) ?? '',
        costText(attempt) ?? 'unknown',
        attempt.account_name,
        attempt.model,
      ])
      return table(columns, rows)
    },
    whenEmpty:
      `No attempt${reason === undefined ? '' : ` with the reason ${reason}`} needs a review. This list shows attempts that an upstream ` +
      'may have charged but no account has paid for.',
  })
}

function describe(attempt: Attempt): string {
  const { id, model, account, account_name, route, status, started, ended, error, detail, operation } = attempt
  const { reason, resolved_at, resolution, note } = attempt
  return facts([
    ['id', id],
    ['model', model],
    ['account', idWithName(account, account_name)],
    ['route', route],
    ['status', status],
    ['started', timeText(started)],
    ['ended', timeText(ended)],
    ['error', error],
    ['detail', detail],
    ['upstream', operation === null ? null : JSON.stringify(operation)],
    ['cost', costText(attempt)],
    ['credits', attempt.cost_credits?.toString()],
    ['reason', reason],
    ['resolved', resolution === null ? null : `${resolution}, ${timeText(resolved_at)}`],
    ['note', note],
  ])
}

function costText({ cost, cost_unit }: Attempt): string | null {
  return cost === null ? null : `${cost} ${cost_unit ?? ''}`.trimEnd()
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
