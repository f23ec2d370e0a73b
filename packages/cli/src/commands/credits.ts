import { randomUUID } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import type { AnyCall } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { callAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { readTime } from '../terminal/time.ts'
import { plainText, writeToStderr, writeJson, writeLine } from '../terminal/write.ts'
import { addAlertCommand, positiveCredits } from './credit-alert.ts'
import { addEntriesCommand } from './credit-entries.ts'

interface AccountOptions extends JsonOptions {
  account: string
}

interface GrantOptions extends AccountOptions {
  note?: string
  expires?: number
  idempotencyKey?: string
}

interface AdjustOptions extends AccountOptions {
  note: string
}

interface Balance {
  balance: number
  held: number
}

interface CreditsCheck {
  accounts: number
  entries: number
  holds: number
  differences: number
  found: string[]
}

export function addCreditsCommand(program: Command, setExitCode: (code: number) => void): void {
  const credits = program
    .command('credits')
    .summary('show the balance and ledger entries, set the low-balance alert; grant and correct credits, check the ledger')
    .description(
      'Show the balance and the ledger entries, and set the low-balance alert. For the operator: grant and correct credits, check the ledger.',
    )
    .helpCommand(false)
  addExamples(
    credits,
    [
      'framegate credits balance',
      'framegate credits entries',
      'framegate credits grant --account acct_1 250',
      'framegate credits verify',
    ],
    'A key with the scope `tasks:read` can show the balance and the entries of its own account. `alert` needs the scope `webhooks:write`. All other commands need an operator key (scope `admin`).',
  )

  addEntriesCommand(credits, setExitCode)
  addAlertCommand(credits, setExitCode)

  const grant = credits
    .command('grant')
    .description('Add credits to an account, permanently or until they expire.')
    .argument('<amount>', 'credits, above 0', positiveCredits)
    .requiredOption('--account <id>', 'the account')
    .option('--note <text>', 'the reason; the account sees it in its ledger entries')
    .option('--expires <time>', 'time at which unspent credits expire, such as 2027-01-01', (text) => readTime(text))
    .option(
      '--idempotency-key <name>',
      'name such as an invoice number; a second grant by the same API key with this name adds no credits',
    )
  addConnectionOptions(grant)
    .option('--json', 'print `balance` and `held` as JSON')
    .action(async (amount: number, options: GrantOptions) => setExitCode(await grantCredits(amount, options)))
  addExamples(
    grant,
    [
      'framegate credits grant --account acct_1 250',
      'framegate credits grant --account acct_1 250 --note "invoice 2026-018" --idempotency-key 2026-018',
    ],
    operatorNotes,
  )

  const adjust = credits
    .command('adjust')
    .description('Add credits to a balance or remove credits from it. A balance never falls below zero.')
    .argument('<amount>', 'credits to add; a negative number, given after `--`, removes credits', nonzeroCredits)
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--note <text>', 'the reason; the account sees it in its ledger entries')
  addConnectionOptions(adjust)
    .option('--json', 'print `balance` and `held` as JSON')
    .action(async (amount: number, options: AdjustOptions) => setExitCode(await adjustCredits(amount, options)))
  addExamples(adjust, ['framegate credits adjust --account acct_1 --note "granted twice" -- -50'], operatorNotes)

  const balance = credits
    .command('balance')
    .description('Show the balance of the account and the credits held by its unfinished tasks and requests.')
    .option('--account <id>', "another account than the key's own; needs an operator key")
  addConnectionOptions(balance)
    .option('--json', 'print `balance` and `held` as JSON')
    .action(async (options: Partial<AccountOptions>) => setExitCode(await showBalance(options)))
  addExamples(balance, ['framegate credits balance', 'framegate credits balance --account acct_1 --json | jq .balance'])

  const verify = credits
    .command('verify')
    .description('Recompute balances, holds and grants from the entries, tasks and requests, and report differences.')
  addConnectionOptions(verify)
    .option('--json', 'print `accounts`, `entries`, `holds`, `differences` and `found` as JSON')
    .action(async (options: JsonOptions) => setExitCode(await verifyCredits(options)))
  addExamples(verify, ['framegate credits verify', 'framegate credits verify --json | jq .differences'], notes)
}

const notes = `The exit code is 1 if there are differences. ${operatorNotes}`

async function grantCredits(
  amount: number,
  { account, note, expires, idempotencyKey, ...options }: GrantOptions,
): Promise<number> {
  const body = { amount, ...(note !== undefined && { note }), ...(expires !== undefined && { expires_at: expires }) }
  // Without the option, each run of the command is a separate grant. Retries within a run share a
  // random key.
  const requestOptions = { idempotencyKey: idempotencyKey ?? randomUUID() }
  return requestAndShowBalance({ method: 'POST', path: `${pathOf(account)}/grants`, body, ...requestOptions }, options)
}

async function adjustCredits(amount: number, { account, note, ...options }: AdjustOptions): Promise<number> {
  const body = { amount, note }
  return requestAndShowBalance(
    { method: 'POST', path: `${pathOf(account)}/adjustments`, body, idempotencyKey: randomUUID() },
    options,
  )
}

async function showBalance({ account, ...options }: Partial<AccountOptions>): Promise<number> {
  return requestAndShowBalance({ method: 'GET', path: account === undefined ? '/v2/credits' : pathOf(account) }, options)
}

async function requestAndShowBalance(request: AnyCall, options: JsonOptions): Promise<number> {
  return callAndShow(
    options,
    async ({ client, call }) => {
      const { balance, held } = await client.request<Balance>(request, call)
      return { balance, held }
    },
    ({ balance, held }) => `${balance} credits, and ${held} held`,
  )
}

function pathOf(account: string): string {
  return `/admin/v1/accounts/${encodeURIComponent(account)}`
}

function nonzeroCredits(text: string): number {
  const amount = Number(text)
  if (amount !== 0 && Number.isFinite(amount)) return amount
  throw new InvalidArgumentError('It must be a number of credits other than 0.')
}

async function verifyCredits(options: JsonOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    const check = await client.request<CreditsCheck>({ method: 'GET', path: '/admin/v1/credits/verify' }, call)
    const { accounts, entries, holds, differences, found } = check
    if (options.json) writeJson({ accounts, entries, holds, differences, found })
    else writeLine(`${count(accounts, 'account')}, ${count(entries, 'entry', 'entries')}, ${count(differences, 'difference')}`)
    for (const difference of found) writeToStderr(plainText(difference))
    return differences === 0 ? exitCodes.ok : exitCodes.failed
  })
}

function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`
}
