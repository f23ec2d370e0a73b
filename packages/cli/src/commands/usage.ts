import type { Command } from 'commander'
import { askServer } from '../connection/ask-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'
import { writeJson, writeLine } from '../terminal/write.ts'

interface UsageOptions extends ConnectionOptions {
  from?: string
  until?: string
  by: string
  json?: true
}

interface Counts {
  completed: number
  failed: number
  charged: number
  seconds: number
}

interface UsageReport {
  rows: (Counts & { day?: string; model?: string; key?: string | null })[]
  total: Counts
}

export function addUsageCommand(program: Command, setExitCode: (code: number) => void): void {
  const usage = program
    .command('usage')
    .description('Show what the ended tasks of the account have used.')
    .option('--from <day>', 'the first day, UTC, such as 2026-01-15 (default: 30 days with the last one)')
    .option('--until <day>', 'the last day, UTC (default: today)')
    .option('--by <list>', 'what to tell apart: day, model, key, or several with commas', 'day')
  addConnectionOptions(usage)
    .option('--json', 'print the usage as JSON')
    .action(async (options: UsageOptions) => setExitCode(await showUsage(options)))
  addExamples(usage, [
    'framegate usage',
    'framegate usage --by model,key --from 2026-01-01',
    'framegate usage --json | jq .total.charged',
  ])
}

async function showUsage({ from, until, by, ...options }: UsageOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const usage = await client.request<UsageReport>({ method: 'GET', path: '/v2/usage', query: { from, until, by } }, call)
    if (options.json) writeJson(usage)
    else {
      const names = (['day', 'model', 'key'] as const).filter((name) => by.split(',').includes(name))
      const rows = usage.rows.map((row) => [...names.map((name) => row[name] ?? ''), ...cells(row)])
      const total = ['TOTAL', ...names.slice(1).map(() => ''), ...cells(usage.total)]
      const headings = [...names.map((name) => name.toUpperCase()), 'COMPLETED', 'FAILED', 'CREDITS', 'SECONDS']
      writeLine(table(headings, [...rows, total]))
    }
    return exitCodes.ok
  })
}

function cells({ completed, failed, charged, seconds }: Counts): string[] {
  return [completed, failed, charged, seconds].map(String)
}
