import type { AdminRoute, AdminUpstream, List, Overview } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { readReadiness } from '../connection/read-readiness.ts'
import { callAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { findIssues, type Issue } from '../operation/find-issues.ts'
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
      'For the operator: show the problems that need you, such as a server that is not ready, routes out of service, unresolved attempts and failing ' +
        'webhooks. Then show the number of queued and processing tasks, task durations by model, and the result of the last ' +
        'ledger check.',
    )
  addConnectionOptions(overview)
    .option('--json', 'print the overview as JSON')
    .action(async (options: JsonOptions) => setExitCode(await callAndShow(options, readOverview, describe)))
  addExamples(
    overview,
    ['framegate overview', 'framegate overview --json | jq .tasks.queued', 'framegate overview --json | jq .issues'],
    operatorNotes,
  )
}

const readinessTimeoutMs = 5_000

type OverviewWithIssues = Overview & { issues: Issue[] }

async function readOverview({ client, baseUrl, call }: ServerSession): Promise<OverviewWithIssues> {
  const read = async <Result>(path: string, query: Record<string, string> = {}): Promise<Result> =>
    client.request<Result>({ method: 'GET', path, query }, call)
  const [overview, upstreams, routes, attempts, readiness] = await Promise.all([
    read<Overview>('/admin/v1/overview'),
    read<List<AdminUpstream>>('/admin/v1/upstreams'),
    read<List<AdminRoute>>('/admin/v1/routes'),
    read<{ items: object[]; has_more: boolean }>('/admin/v1/attempts', { unresolved: 'true' }),
    // A proxy may hide /readyz.
    readReadiness(baseUrl, AbortSignal.any([call.signal, AbortSignal.timeout(readinessTimeoutMs)])).catch(() => null),
  ])
  const issues = findIssues({
    overview,
    readinessError: readiness?.error ?? null,
    upstreams: upstreams.items,
    routes: routes.items,
    unresolved: attempts.items.length,
    hasMoreUnresolved: attempts.has_more,
    nowMs: Date.now(),
  })
  return { ...overview, issues }
}

function describe({ tasks, models, times_from, webhooks, ledger, issues }: OverviewWithIssues): string {
  const { checked, differences } = ledger
  const parts = [
    issues.length === 0
      ? 'Nothing needs your attention.'
      : table(
          [
            { heading: 'PROBLEM', long: 'wrap' },
            { heading: 'DETAIL', long: 'wrap' },
            { heading: 'COMMAND', long: 'wrap' },
          ],
          issues.map(({ problem, detail, command }) => [problem, detail, command]),
        ),
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
