import { Option, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { table, type Column } from '../terminal/table.ts'
import { explain, writeJson, writeLine } from '../terminal/write.ts'
import { showUsageOfAll } from './usage-of-all.ts'

interface UsageOptions extends ConnectionOptions {
  all?: true
  from?: string
  to?: string
  until?: string
  by: string
  brand?: string
  account?: string
  model?: string
  json?: true
}

interface Counts {
  completed: number
  failed: number
  charged: number
  seconds: number
}

interface UsageReport {
  from: string
  until: string
  rows: (Counts & { day?: string; model?: string; key?: string | null })[]
  total: Counts
}

const nameColumns = {
  day: { heading: 'DAY' },
  model: { heading: 'MODEL', long: 'shorten' },
  key: { heading: 'KEY' },
} as const satisfies Record<string, Column>
const countColumns: Column[] = [
  { heading: 'COMPLETED', rank: 3 },
  { heading: 'FAILED', rank: 2 },
  { heading: 'CREDITS' },
  { heading: 'SECONDS', rank: 1 },
]

export function addUsageCommand(program: Command, setExitCode: (code: number) => void): void {
  const usage = program
    .command('usage')
    .summary('show the usage of the account, or of all accounts')
    .description(
      "Show the usage of the account's ended tasks, or with `--all` the usage, revenue, cost and margin of all accounts.",
    )
    .option('--all', 'report on all accounts; needs an operator key')
    .option('--from <day>', 'the first day, UTC, such as 2026-01-15 (default: 29 days before the last day)')
    .option('--to <day>', 'the last day, UTC (default: today)')
    .addOption(new Option('--until <day>', 'alias of `--to`').conflicts('to'))
    .option(
      '--by <list>',
      'dimensions to group by, separated by commas: `day`, `model`, `key`; with `--all` also `brand`, `account`, `route`, `upstream`',
      'day',
    )
    .option('--brand <id>', 'with `--all`: only accounts of this brand')
    .option('--account <id>', 'with `--all`: only this account')
    .option('--model <id>', 'with `--all`: only tasks of this model')
  addConnectionOptions(usage)
    .option('--json', 'print the usage as JSON')
    .action(async (options: UsageOptions) => setExitCode(await showUsage(options)))
  addExamples(usage, [
    'framegate usage',
    'framegate usage --by model,key --from 2026-01-01',
    'framegate usage --json | jq .total.charged',
    'framegate usage --all --by account,model --from 2026-01-01 --to 2026-01-31',
  ])
}

async function showUsage({ all, from, until, to = until, by, brand, account, model, ...options }: UsageOptions): Promise<number> {
  if (all) return showUsageOfAll(options, { from, to, by, brand, account, model })
  if (brand !== undefined || account !== undefined || model !== undefined) {
    throw new CommandFailure(exitCodes.usage, '--brand, --account and --model need --all.')
  }
  return callServer(options, 'require server', async ({ client, call }) => {
    const usage = await client.request<UsageReport>({ method: 'GET', path: '/v2/usage', query: { from, until: to, by } }, call)
    if (options.json) writeJson(usage)
    else if (usage.rows.length === 0)
      explain(`No task of the account has ended in this period (${usage.from} to ${usage.until}).`)
    else {
      const names = (['day', 'model', 'key'] as const).filter((name) => by.split(',').includes(name))
      const rows = usage.rows.map((row) => [...names.map((name) => row[name] ?? ''), ...cellsOf(row)])
      const total = ['TOTAL', ...names.slice(1).map(() => ''), ...cellsOf(usage.total)]
      writeLine(table([...names.map((name) => nameColumns[name]), ...countColumns], [...rows, total]))
    }
    return exitCodes.ok
  })
}

function cellsOf({ completed, failed, charged, seconds }: Counts): string[] {
  return [completed, failed, charged, seconds].map(String)
}
