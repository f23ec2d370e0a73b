import { Option, type Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { callAndShow, listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { confirmAccountChange, yesDescription } from '../operation/confirm-account-change.ts'
import { everyPage } from '../operation/every-page.ts'
import { addLimitOptions, orNull, noChangeFailure, type Limit } from '../operation/limits.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { addEraseCommand } from './erase-account.ts'

interface Account {
  id: string
  brand: string
  brand_name: string
  name: string
  status: 'active' | 'suspended' | 'closed'
  balance: number
  held: number
  tasks_in_flight_max: number | null
  credits_in_flight_max: number | null
  requests_per_minute_max: number | null
  tokens_per_minute_max: number | null
  over_limit: 'refuse' | 'wait'
}

interface ChangeOptions extends JsonOptions {
  name?: string
  tasksInFlight?: Limit
  requestsPerMinute?: Limit
  tokensPerMinute?: Limit
  creditsInFlight?: Limit
  overLimit?: Account['over_limit']
}

const notes = operatorNotes
const path = '/admin/v1/accounts'
const columns: (string | Column)[] = [
  'ID',
  { heading: 'STATUS', rank: 4 },
  'BALANCE',
  { heading: 'HELD', rank: 2 },
  { heading: 'BRAND', rank: 1 },
  { heading: 'BRAND NAME', long: 'shorten', rank: 3 },
  { heading: 'NAME', long: 'shorten' },
]

export function addAccountsCommand(program: Command, setExitCode: (code: number) => void): void {
  const accounts = program
    .command('accounts')
    .summary('create, list, limit, suspend, close and erase accounts')
    .description('For the operator: create, list, limit, suspend, close and erase accounts.')
    .helpCommand(false)
  addExamples(accounts, ['framegate accounts create "Studio North"', 'framegate accounts list'], notes)

  const create = accounts
    .command('create')
    .description('Create an account without credits or keys, or show the existing account of this name in the brand.')
    .argument('<name>', 'display name')
    .option('--brand <id>', 'brand of the account (default: the default brand)')
  addConnectionOptions(create)
    .option('--json', 'print the account as JSON')
    .action(async (name: string, { brand, ...options }: JsonOptions & { brand?: string }) =>
      setExitCode(
        await requestAndShow(options, { method: 'POST', path, body: { name, ...(brand !== undefined && { brand }) } }, describe),
      ),
    )
  addExamples(
    create,
    ['framegate accounts create "Studio North"', 'framegate accounts create "Studio North" --json | jq -r .id'],
    notes,
  )

  const list = accounts.command('list').description('Show all accounts with their balances.')
  addConnectionOptions(list)
    .option('--json', 'print a list of accounts as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listAccounts(options)))
  addExamples(list, ['framegate accounts list', `framegate accounts list --json | jq -r '.items[].id'`], notes)

  const get = accounts.command('get').description('Show an account.').argument('<id>', 'an account id')
  addConnectionOptions(get)
    .option('--json', 'print the account as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'GET', path: pathOf(id) }, describe)),
    )
  addExamples(get, ['framegate accounts get acct_1'], notes)

  const update = accounts
    .command('update')
    .description('Rename an account or set its limits. Omitted options stay unchanged.')
    .argument('<id>', 'an account id')
    .option('--name <name>', 'display name')
  addLimitOptions(update).addOption(
    new Option(
      '--over-limit <what>',
      'whether a task that exceeds a limit on tasks or credits in flight is rejected or waits',
    ).choices(['refuse', 'wait']),
  )
  addConnectionOptions(update)
    .option('--json', 'print the account as JSON')
    .action(async (id: string, options: ChangeOptions) => setExitCode(await updateAccount(id, options)))
  addExamples(update, ['framegate accounts update acct_1 --tasks-in-flight 20 --over-limit wait'], notes)

  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'Reject all requests of an account. Its queued and running tasks continue.'],
    ['resume', 'active', 'Reactivate a suspended account.'],
  ] as const) {
    const command = accounts.command(verb).description(description).argument('<id>', 'an account id')
    addConnectionOptions(command)
      .option('--json', 'print the account as JSON')
      .action(async (id: string, options: JsonOptions) =>
        setExitCode(await requestAndShow(options, { method: 'PATCH', path: pathOf(id), body: { status } }, describe)),
      )
    addExamples(command, [`framegate accounts ${verb} acct_1`], notes)
  }

  const close = accounts
    .command('close')
    .description('Close an account permanently. Its keys become invalid.')
    .argument('<id>', 'an account id')
    .option('-y, --yes', yesDescription)
  addConnectionOptions(close)
    .option('--json', 'print the account as JSON')
    .action(async (id: string, options: JsonOptions & { yes?: true }) => setExitCode(await closeAccount(id, options)))
  addExamples(
    close,
    ['framegate accounts close acct_1'],
    `The command asks for confirmation if it runs on a terminal. Pass \`--yes\` in scripts that may run on a terminal. ${notes}`,
  )

  addEraseCommand(accounts, setExitCode)
}

async function closeAccount(id: string, { yes, ...options }: JsonOptions & { yes?: true }): Promise<number> {
  return callAndShow(
    options,
    async (session) => {
      if (!yes) await confirmAccountChange(session, pathOf(id), (account) => `Close the account ${account} permanently?`)
      const { client, call } = session
      return client.request<Account>({ method: 'PATCH', path: pathOf(id), body: { status: 'closed' } }, call)
    },
    describe,
  )
}

async function listAccounts(options: JsonOptions): Promise<number> {
  return listAndShow(options, (session) => everyPage<Account>(session, path), {
    describe(accounts) {
      const rows = accounts.map(({ id, status, balance, held, brand, brand_name, name }) => [
        id,
        status,
        `${balance}`,
        `${held}`,
        brand,
        brand_name,
        name,
      ])
      return table(columns, rows)
    },
    whenEmpty: 'There are no accounts. Create one with framegate accounts create NAME.',
  })
}

async function updateAccount(id: string, options: ChangeOptions): Promise<number> {
  const { name, tasksInFlight, creditsInFlight, requestsPerMinute, tokensPerMinute, overLimit, ...rest } = options
  const change = {
    ...(name !== undefined && { name }),
    ...(tasksInFlight !== undefined && { tasks_in_flight_max: orNull(tasksInFlight) }),
    ...(requestsPerMinute !== undefined && { requests_per_minute_max: orNull(requestsPerMinute) }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute_max: orNull(tokensPerMinute) }),
    ...(creditsInFlight !== undefined && { credits_in_flight_max: orNull(creditsInFlight) }),
    ...(overLimit !== undefined && { over_limit: overLimit }),
  }
  if (Object.keys(change).length === 0) throw noChangeFailure()
  return requestAndShow(rest, { method: 'PATCH', path: pathOf(id), body: change }, describe)
}

function describe(account: Account): string {
  return facts([
    ['id', account.id],
    ['name', account.name],
    ['brand', idWithName(account.brand, account.brand_name)],
    ['status', account.status],
    ['balance', `${account.balance} credits`],
    ['held', `${account.held} credits`],
    ['tasks in flight', limitText(account.tasks_in_flight_max)],
    ['credits in flight', limitText(account.credits_in_flight_max)],
    ['requests (models priced by tokens)', limitText(account.requests_per_minute_max, ' per minute')],
    ['tokens (models priced by tokens)', limitText(account.tokens_per_minute_max, ' per minute')],
    ['over a limit', account.over_limit],
  ])
}

function limitText(limit: number | null, per = ''): string {
  return limit === null ? 'no limit' : `at most ${limit}${per}`
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
