import type { Overview } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'

export function addOverviewCommand(program: Command, setExitCode: (code: number) => void): void {
  const overview = program
    .command('overview')
    .summary('show queued and running tasks, task durations, and problems that need an operator')
    .description(
      'For the operator: show the number of queued and processing tasks, task durations by model, failing webhooks and the ' +
        'result of the last ledger check.',
    )
  addConnectionOptions(overview)
    .option('--json', 'print the overview as JSON')
    .action(async (options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'GET', path: '/admin/v1/overview' }, describe)),
    )
  addExamples(overview, ['framegate overview', 'framegate overview --json | jq .tasks.queued'], operatorNotes)
}

function describe({ tasks, models, times_from, webhooks, ledger }: Overview): string {
  const { checked, differences } = ledger
  const parts = [
    facts([
      ['queued', `${tasks.queued}`],
      ['oldest queued', timeText(tasks.oldest_queued)],
      ['processing', `${tasks.processing}`],
      ['on hold', tasks.held === 0 ? null : `${tasks.held}; framegate tasks held shows them`],
      ['failing webhooks', `${webhooks.failing}`],
      [
        'ledger',
        checked === null ? 'not checked yet by this process' : `${differences} differences, checked ${timeText(checked)}`,
      ],
      ['times since', timeText(times_from)],
    ]),
  ]
  if (models.length > 0) {
    parts.push(
      table(
        [{ heading: 'MODEL ID', long: 'shorten' }, 'QUEUED', 'PROCESSING', { heading: 'COMPLETED', rank: 1 }, 'P50', 'P95'],
        models.map(({ model, queued, processing, completed, p50_seconds, p95_seconds }) => [
          model,
          `${queued}`,
          `${processing}`,
          `${completed}`,
          secondsText(p50_seconds),
          secondsText(p95_seconds),
        ]),
      ),
    )
  }
  if (webhooks.items.length > 0) {
    parts.push(
      table(
        ['FAILING WEBHOOK', { heading: 'ACCOUNT', long: 'shorten' }, 'SINCE', { heading: 'URL', long: 'shorten' }],
        webhooks.items.map(({ id, account, account_name, failing_since, url }) => [
          id,
          idWithName(account, account_name),
          timeText(failing_since) ?? '',
          url,
        ]),
      ),
    )
  }
  return parts.join('\n\n')
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '' : `${seconds} s`
}
