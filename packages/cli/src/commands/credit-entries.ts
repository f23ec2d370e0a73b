import { Option, type Command } from 'commander'
import { askServer, type Asking } from '../connection/ask-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import type { JsonOptions } from '../operation/ask-and-show.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'
import { readTime, timeText } from '../terminal/time.ts'
import { sayOnStderr, writeJson, writeLine } from '../terminal/write.ts'

interface EntriesOptions extends JsonOptions {
  account?: string
  kind?: string
  task?: string
  since?: number
  until?: number
  limit: number
}

interface Entry {
  kind: string
  amount: number
  held: number
  balance_after: number
  task: string | null
  note: string | null
  created: number
}

const kinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire']
const listedDefault = 20
const listedMax = 100_000
const pageSizeMax = 100

export function addEntriesCommand(credits: Command, setExitCode: (code: number) => void): void {
  const entries = credits
    .command('entries')
    .description('Show what has moved the balance, newest first.')
    .option('--account <id>', "another account than the key's own; needs an operator's key")
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(kinds))
    .option('--task <id>', 'only entries of this task')
    .option('--since <time>', 'only entries written at this time or later, such as 2026-03-01', (text) => readTime(text))
    .option('--until <time>', 'only entries written before this time', (text) => readTime(text))
    .option('--limit <number>', 'how many', wholeNumber(1, listedMax), listedDefault)
  addConnectionOptions(entries)
    .option('--json', 'print an array of entries')
    .action(async (options: EntriesOptions) => setExitCode(await showEntries(options)))
  addExamples(entries, [
    'framegate credits entries --since 2026-03-01',
    'framegate credits entries --account acct_1 --kind grant',
    `framegate credits entries --limit 1000 --json | jq 'map(.amount) | add'`,
  ])
}

async function showEntries(options: EntriesOptions): Promise<number> {
  return askServer(options, 'refuse', async (asking) => {
    const entries = await readEntries(asking, options)
    if (options.json) writeJson(entries)
    else if (entries.length === 0) sayOnStderr('There are no such entries.')
    else writeLine(table(['CREATED', 'KIND', 'AMOUNT', 'HELD', 'BALANCE', 'TASK OR NOTE'], entries.map(row)))
    return exitCodes.ok
  })
}

async function readEntries({ client, call }: Asking, options: EntriesOptions): Promise<Entry[]> {
  const { account, kind, task, since, until, limit } = options
  const path = account === undefined ? '/v2/credits/entries' : `/admin/v1/accounts/${encodeURIComponent(account)}/entries`
  const entries: Entry[] = []
  for (let cursor: string | undefined; ;) {
    const page = { limit: Math.min(limit - entries.length, pageSizeMax), cursor }
    const query = { kind, task, created_after: since, created_before: until, ...page }
    const { items, next_cursor } = await client.request<{ items: Entry[]; next_cursor: string | null }>(
      { method: 'GET', path, query },
      call,
    )
    entries.push(...items)
    if (next_cursor === null || entries.length >= limit) return entries
    cursor = next_cursor
  }
}

function row({ created, kind, amount, held, balance_after, task, note }: Entry): string[] {
  return [timeText(created) ?? '', kind, signed(amount), signed(held), `${balance_after}`, task ?? note ?? '']
}

function signed(credits: number): string {
  return credits > 0 ? `+${credits}` : `${credits}`
}
