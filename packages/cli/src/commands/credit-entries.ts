import type { CreditEntry } from '@framegate/contract'
import { Option, type Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { readAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import type { ListRequest } from '../operation/read-items.ts'
import { addExamples } from '../terminal/examples.ts'
import { table, type Column } from '../terminal/table.ts'
import { readTime, timeText } from '../terminal/time.ts'

interface EntriesOptions extends JsonOptions {
  account?: string
  kind?: string
  task?: string
  since?: number
  until?: number
  limit: number
  cursor?: string
}

const kinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire']
const columns: (string | Column)[] = [
  { heading: 'CREATED', rank: 2 },
  'KIND',
  'AMOUNT',
  { heading: 'HELD', rank: 1 },
  'BALANCE',
  { heading: 'TASK, REQUEST OR NOTE', long: 'wrap' },
]
const defaultLimit = 20
const limitMax = 100_000

export function addEntriesCommand(credits: Command, setExitCode: (code: number) => void): void {
  const entries = credits
    .command('entries')
    .description('Show the ledger entries of the account, newest first.')
    .option('--account <id>', "another account than the key's own; needs an operator key")
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(kinds))
    .option('--task <id>', 'only entries of this task')
    .option('--since <time>', 'only entries created at this time or later, such as 2026-03-01', (text) => readTime(text))
    .option('--until <time>', 'only entries created before this time', (text) => readTime(text))
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, limitMax), defaultLimit)
    .option('--cursor <cursor>', 'where to start: `next_cursor` of the previous list, from --json')
  addConnectionOptions(entries)
    .option('--json', 'print a list of entries as JSON')
    .action(async (options: EntriesOptions) => setExitCode(await showEntries(options)))
  addExamples(entries, [
    'framegate credits entries --since 2026-03-01',
    'framegate credits entries --account acct_1 --kind grant',
    `framegate credits entries --limit 1000 --json | jq '[.items[].amount] | add'`,
  ])
}

async function showEntries(options: EntriesOptions): Promise<number> {
  return readAndShow<CreditEntry>(options, requestOf(options), {
    describe: (entries) => table(columns, entries.map(rowOf)),
    whenEmpty: noEntriesText(options),
  })
}

function requestOf(options: EntriesOptions): ListRequest {
  const { account, kind, task, since, until, limit, cursor } = options
  const path = account === undefined ? '/v2/credits/entries' : `/admin/v1/accounts/${encodeURIComponent(account)}/entries`
  const query = { kind, task, created_after: since, created_before: until }
  return { path, query, limit, cursor }
}

function noEntriesText({ kind, task, since, until }: EntriesOptions): string {
  return [kind, task, since, until].every((filter) => filter === undefined)
    ? 'The account has no entries yet. An operator grants credits with framegate credits grant.'
    : 'No entries match the filters. Without filters, framegate credits entries shows the newest entries.'
}

function rowOf(entry: CreditEntry): string[] {
  const { created, kind, amount, held, balance_after } = entry
  return [timeText(created) ?? '', kind, formatSigned(amount), formatSigned(held), `${balance_after}`, subjectText(entry)]
}

/** Task or forwarded request of an entry, or the note of an operator. */
function subjectText({ task, request, note }: CreditEntry): string {
  if (request === null) return task ?? note ?? ''
  const { id, model, input_tokens, output_tokens, estimated } = request
  const tokens = input_tokens + output_tokens === 0 ? '' : `, ${input_tokens} input and ${output_tokens} output tokens`
  return `${model}${tokens}${estimated ? ' (estimated)' : ''}, ${id}`
}

function formatSigned(credits: number): string {
  return credits > 0 ? `+${credits}` : `${credits}`
}
