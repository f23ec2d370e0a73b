import { Option, type Command } from 'commander'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { createSecret, writeSecret } from '../operation/create-secret.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { addLimitOptions, limitParser, orNull, noChangeFailure, type Limit } from '../operation/limits.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { splitList } from '../operation/split-list.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { readTime, timeText } from '../terminal/time.ts'
import { writeToStderr } from '../terminal/write.ts'

interface Key {
  id: string
  account: string
  account_name: string
  name: string
  scopes: string[]
  models: string[] | null
  expires_at: number | null
  requests_per_second_max: number | null
  requests_per_minute_max: number | null
  tokens_per_minute_max: number | null
  tasks_in_flight_max: number | null
  credits_in_flight_max: number | null
  spent_per_day_max: number | null
  spent_per_month_max: number | null
  revoked_at: number | null
  last_used_at: number | null
}

interface KeyOptions extends JsonOptions {
  name?: string
  scopes?: string[]
  models?: string[] | 'all'
  requestsPerSecond?: Limit
  requestsPerMinute?: Limit
  tokensPerMinute?: Limit
  tasksInFlight?: Limit
  creditsInFlight?: Limit
  spentPerDay?: Limit
  spentPerMonth?: Limit
  expires?: number | 'never'
}

const daySeconds = 86_400
const columns: (string | Column)[] = [
  'ID',
  'STATE',
  { heading: 'LAST USED', rank: 2 },
  { heading: 'SCOPES', long: 'shorten', rank: 1 },
  { heading: 'LIMITS', long: 'wrap', rank: 3 },
  { heading: 'NAME', long: 'shorten' },
]
const overlapSecondsMax = 30 * daySeconds

export function addKeysCommand(program: Command, setExitCode: (code: number) => void): void {
  const keys = program
    .command('keys')
    .summary('create, list, limit, rotate and revoke API keys')
    .description('For the operator: create, list, limit, rotate and revoke API keys.')
    .helpCommand(false)
  addExamples(keys, ['framegate keys create --account acct_1', 'framegate keys revoke key_0197c0de...'], operatorNotes)

  const create = keys
    .command('create')
    .description('Create a key and print its secret. The secret is not stored and cannot be shown again.')
    .requiredOption('--account <id>', 'the account of the key')
  addKeyOptions(create)
    .option('--json', 'print the key as JSON, with the secret in `key`')
    .action(async (options: KeyOptions & { account: string }) => setExitCode(await createKey(options)))
  addExamples(
    create,
    [
      'framegate keys create --account acct_1',
      'framegate keys create --account acct_1 --name website --scopes tasks:write,tasks:read --spent-per-day 50 --json | jq -r .key',
    ],
    operatorNotes,
  )

  const list = keys
    .command('list')
    .description('Show the keys of an account, including revoked ones.')
    .requiredOption('--account <id>', 'the account of the keys')
  addConnectionOptions(list)
    .option('--json', 'print a list of keys as JSON')
    .action(async (options: JsonOptions & { account: string }) => setExitCode(await listKeys(options)))
  addExamples(list, ['framegate keys list --account acct_1'], operatorNotes)

  const get = keys.command('get').description('Show a key, without its secret.').argument('<id>', 'a key id')
  addConnectionOptions(get)
    .option('--json', 'print the key as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'GET', path: pathOf(id) }, describe)),
    )
  addExamples(get, ['framegate keys get key_0197c0de...'], operatorNotes)

  const update = keys
    .command('update')
    .description('Rename a key or change its permissions and limits. Omitted options stay unchanged.')
    .argument('<id>', 'a key id')
  addKeyOptions(update)
    .option('--json', 'print the key as JSON')
    .action(async (id: string, options: KeyOptions) => setExitCode(await updateKey(id, options)))
  addExamples(update, ['framegate keys update key_0197c0de... --requests-per-second 20'], operatorNotes)

  const rotate = keys
    .command('rotate')
    .description(
      'Create and print a new secret for a key. The secret cannot be shown again. Earlier secrets stay valid during the overlap.',
    )
    .argument('<id>', 'a key id')
    .option('--overlap <seconds>', 'seconds for which earlier secrets stay valid', wholeNumber(0, overlapSecondsMax), daySeconds)
  addConnectionOptions(rotate)
    .option('--json', 'print the key as JSON, with the new secret in `key`')
    .action(async (id: string, options: JsonOptions & { overlap: number }) => setExitCode(await rotateKey(id, options)))
  addExamples(rotate, ['framegate keys rotate key_0197c0de... --overlap 3600'], operatorNotes)

  const revoke = keys.command('revoke').description('Revoke a key immediately and permanently.').argument('<id>', 'a key id')
  addConnectionOptions(revoke)
    .option('--json', 'print the key as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'DELETE', path: pathOf(id) }, describe)),
    )
  addExamples(revoke, ['framegate keys revoke key_0197c0de...'], operatorNotes)
}

function addKeyOptions(command: Command): Command {
  command
    .option('--name <name>', 'display name')
    .addOption(
      new Option(
        '--scopes <list>',
        'scopes, separated by commas: `tasks:write`, `tasks:read`, `webhooks:write`, `admin`',
      ).argParser(splitList),
    )
    .addOption(
      new Option('--models <list>', 'Model IDs that the key may invoke, separated by commas, or `all`').argParser(splitListOrAll),
    )
    .option('--requests-per-second <number>', 'maximum request rate, or `none` for no limit', limitParser('requests'))
  addLimitOptions(command)
    .option('--spent-per-day <credits>', 'maximum spending per UTC calendar day, or `none` for no limit', limitParser('credits'))
    .option(
      '--spent-per-month <credits>',
      'maximum spending per UTC calendar month, or `none` for no limit',
      limitParser('credits'),
    )
    .option('--expires <time>', 'expiry, such as 2027-01-01, or `never`', timeOrNever)
  return addConnectionOptions(command)
}

function bodyOf(options: KeyOptions): object {
  const { name, scopes, models, requestsPerSecond, tasksInFlight, creditsInFlight, spentPerDay, spentPerMonth, expires } = options
  const { requestsPerMinute, tokensPerMinute } = options
  const body = {
    name,
    scopes,
    models: models === 'all' ? null : models,
    requests_per_second_max: orNull(requestsPerSecond),
    requests_per_minute_max: orNull(requestsPerMinute),
    tokens_per_minute_max: orNull(tokensPerMinute),
    tasks_in_flight_max: orNull(tasksInFlight),
    credits_in_flight_max: orNull(creditsInFlight),
    spent_per_day_max: orNull(spentPerDay),
    spent_per_month_max: orNull(spentPerMonth),
    expires_at: expires === 'never' ? null : expires,
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

async function createKey({ account, ...options }: KeyOptions & { account: string }): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const path = `/admin/v1/accounts/${encodeURIComponent(account)}/keys`
    await showSecret(await createSecret<Key & { key: string }>(session, { owners: 'keys', path, body: bodyOf(options) }), options)
    return exitCodes.ok
  })
}

async function listKeys({ account, ...options }: JsonOptions & { account: string }): Promise<number> {
  const path = `/admin/v1/accounts/${encodeURIComponent(account)}/keys`
  return listAndShow(
    options,
    async ({ client, call }) => (await client.request<{ items: Key[] }>({ method: 'GET', path }, call)).items,
    {
      describe: (keys) => table(columns, keys.map(rowOf)),
      whenEmpty: `The account has no keys. Create one with framegate keys create --account ${account}.`,
    },
  )
}

async function updateKey(id: string, options: KeyOptions): Promise<number> {
  const body = bodyOf(options)
  if (Object.keys(body).length === 0) throw noChangeFailure()
  return requestAndShow(options, { method: 'PATCH', path: pathOf(id), body }, describe)
}

async function rotateKey(id: string, { overlap, ...options }: JsonOptions & { overlap: number }): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const rotatedKey = await createSecret<Key & { key: string }>(session, {
      owners: 'keys',
      path: `${pathOf(id)}/rotate`,
      body: { overlap_seconds: overlap },
    })
    await showSecret(rotatedKey, options)
    return exitCodes.ok
  })
}

/** Prints only the secret to stdout, so that `KEY=$(framegate keys create ...)` works. */
async function showSecret(key: Key & { key: string }, { json }: JsonOptions): Promise<void> {
  if (!json) writeToStderr(`${key.id} of ${idWithName(key.account, key.account_name)}. Its secret, which is not shown again:`)
  await writeSecret(`${json ? JSON.stringify(key) : key.key}\n`, 'keys', key.id)
}

function describe(key: Key): string {
  return facts([
    ['id', key.id],
    ['name', key.name],
    ['account', idWithName(key.account, key.account_name)],
    ['state', stateOf(key)],
    ['scopes', key.scopes.join(', ')],
    ['models', key.models === null ? 'all' : key.models.join(', ')],
    ['limits', limitsOf(key).join(', ') || 'none'],
    ['expires', timeText(key.expires_at)],
    ['last used', timeText(key.last_used_at)],
  ])
}

function rowOf(key: Key): string[] {
  return [
    key.id,
    stateOf(key),
    timeText(key.last_used_at) ?? 'never',
    key.scopes.join(','),
    restrictionsOf(key).join(', '),
    key.name,
  ]
}

/** Limits of a key, and the models to which it is restricted. */
function restrictionsOf(key: Key): string[] {
  return [...limitsOf(key), ...(key.models === null ? [] : [`models ${key.models.join(', ')}`])]
}

function limitsOf(key: Key): string[] {
  const limits: readonly (readonly [number | null, string])[] = [
    [key.requests_per_second_max, 'requests per second'],
    [key.requests_per_minute_max, 'requests per minute (models priced by tokens)'],
    [key.tokens_per_minute_max, 'tokens per minute'],
    [key.tasks_in_flight_max, 'tasks in flight'],
    [key.credits_in_flight_max, 'credits in flight'],
    [key.spent_per_day_max, 'credits per day'],
    [key.spent_per_month_max, 'credits per month'],
  ]
  return limits.flatMap(([limit, unit]) => (limit === null ? [] : [`${limit} ${unit}`]))
}

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at * 1000 <= Date.now() ? 'expired' : 'active'
}

function pathOf(id: string): string {
  return `/admin/v1/keys/${encodeURIComponent(id)}`
}

function splitListOrAll(text: string): string[] | 'all' {
  return text === 'all' ? text : splitList(text)
}

function timeOrNever(text: string): number | 'never' {
  return text === 'never' ? text : readTime(text, ', or never')
}
