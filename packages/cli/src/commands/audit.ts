import type { AuditEntry } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { readAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'

interface AuditOptions extends JsonOptions {
  limit: number
  cursor?: string
}

const defaultLimit = 20
const limitMax = 10_000

export function addAuditCommand(program: Command, setExitCode: (code: number) => void): void {
  const audit = program
    .command('audit')
    .summary('show the changes made by operators')
    .description('For the operator: show the changes made through the operator API, newest first.')
    .option('--limit <number>', 'maximum number of changes', wholeNumber(1, limitMax), defaultLimit)
    .option('--cursor <cursor>', 'where to start: `next_cursor` of the previous list, from --json')
  addConnectionOptions(audit)
    .option('--json', 'print a list of changes as JSON, with the values before and after')
    .action(async (options: AuditOptions) => setExitCode(await listChanges(options)))
  addExamples(audit, ['framegate audit', `framegate audit --limit 100 --json | jq '.items[].action'`], operatorNotes)
}

async function listChanges({ limit, cursor, ...options }: AuditOptions): Promise<number> {
  const request = { path: '/admin/v1/audit', limit, cursor }
  return readAndShow<AuditEntry>(options, request, { describe, whenEmpty: 'No operator has changed anything yet.' })
}

function describe(entries: readonly AuditEntry[]): string {
  return table(
    [
      'TIME',
      'ACTION',
      { heading: 'OBJECT', long: 'shorten' },
      { heading: 'NAME', long: 'shorten', rank: 2 },
      { heading: 'KEY', long: 'shorten', rank: 1 },
    ],
    entries.map(({ at, action, target, target_name, key, key_name }) => [
      timeText(at) ?? '',
      action,
      target,
      target_name ?? '',
      key_name || (key ?? ''),
    ]),
  )
}
