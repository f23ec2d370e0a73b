import type { OperatorWebhook } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { everyPage } from '../operation/every-page.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'

interface AllOptions extends JsonOptions {
  account?: string
  failing?: true
}

const path = '/admin/v1/webhooks'

/**
 * Adds the commands with which an operator lists, suspends and resumes the webhooks of all
 * accounts.
 */
export function addAllWebhooksCommands(webhooks: Command, setExitCode: (code: number) => void): void {
  const all = webhooks
    .command('all')
    .description('For the operator: list the webhooks of all accounts, oldest first.')
    .option('--account <id>', 'only webhooks of this account')
    .option('--failing', 'only webhooks whose last delivery failed or that the service has disabled')
  addConnectionOptions(all)
    .option('--json', 'print a list of webhooks as JSON')
    .action(async (options: AllOptions) => setExitCode(await listAll(options)))
  addExamples(all, ['framegate webhooks all --failing', 'framegate webhooks all --account acct_1'], operatorNotes)

  for (const [verb, enabled, description] of [
    ['suspend', false, 'For the operator: stop deliveries to a webhook of any account. The account cannot enable it again.'],
    [
      'resume',
      true,
      'For the operator: resume deliveries to a webhook. Events that occurred or became due during the suspension are not sent.',
    ],
  ] as const) {
    const command = webhooks.command(verb).description(description).argument('<id>', 'the id of a webhook')
    addConnectionOptions(command)
      .option('--json', 'print the webhook as JSON')
      .action(async (id: string, options: JsonOptions) =>
        setExitCode(
          await requestAndShow(
            options,
            { method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body: { enabled } },
            describe,
          ),
        ),
      )
    addExamples(command, [`framegate webhooks ${verb} wh_5d0f8a1c...`], operatorNotes)
  }
}

async function listAll({ account, failing, ...options }: AllOptions): Promise<number> {
  const query = { account, failing: failing && 'true' }
  return listAndShow(options, (session) => everyPage<OperatorWebhook>(session, path, query), {
    describe: (page) =>
      table(
        [
          'ID',
          { heading: 'ACCOUNT', long: 'shorten' },
          { heading: 'STATE', long: 'shorten' },
          { heading: 'FAILURES', rank: 1 },
          { heading: 'URL', long: 'shorten' },
        ],
        page.map((webhook) => [
          webhook.id,
          idWithName(webhook.account, webhook.account_name),
          stateText(webhook),
          `${webhook.failures}`,
          webhook.url,
        ]),
      ),
    whenEmpty: failing ? 'No webhook is failing.' : 'There are no webhooks.',
  })
}

function describe(webhook: OperatorWebhook): string {
  return facts([
    ['id', webhook.id],
    ['account', idWithName(webhook.account, webhook.account_name)],
    ['url', webhook.url],
    ['state', stateText(webhook)],
  ])
}

function stateText({ enabled, disabled_reason, failing_since }: OperatorWebhook): string {
  if (!enabled) return disabled_reason === null ? 'disabled' : `disabled (${disabled_reason})`
  return failing_since === null ? 'enabled' : `failing since ${timeText(failing_since)}`
}
