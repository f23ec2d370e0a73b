import { Option, type Command } from 'commander'
import type { EventType, WebhookDelivery, WebhookDeliveryStatus } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { wholeNumber } from '../generation/generation-options.ts'
import { callAndShow, readAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { addExamples } from '../terminal/examples.ts'
import { table, type Column } from '../terminal/table.ts'
import { readTime, timeText } from '../terminal/time.ts'

interface DeliveryOptions extends JsonOptions {
  status?: WebhookDeliveryStatus
  type?: EventType
  task?: string
  limit: number
  cursor?: string
}

const columns: (string | Column)[] = [
  'ID',
  'TYPE',
  'STATUS',
  { heading: 'ATTEMPTS', rank: 3 },
  { heading: 'TASK', rank: 1 },
  { heading: 'CREATED', rank: 4 },
  { heading: 'LAST RESPONSE', long: 'shorten', rank: 2 },
]
const defaultLimit = 20
const limitMax = 10_000

/** Adds the commands that show the deliveries to a webhook, and send events again. */
export function addDeliveryCommands(webhooks: Command, setExitCode: (code: number) => void): void {
  const deliveries = webhooks
    .command('deliveries')
    .description('Show the deliveries to a webhook, newest first, each with its last attempt.')
    .argument('<id>', 'a webhook id, or `tasks` for events sent to the `webhook_url` of a task')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(['pending', 'delivered', 'failed']))
    .option('--type <type>', 'only events of this type')
    .option('--task <id>', 'only events of this task')
    .option('--limit <number>', 'maximum number of deliveries', wholeNumber(1, limitMax), defaultLimit)
    .option('--cursor <cursor>', 'where to start: `next_cursor` of the previous list, from --json')
  addConnectionOptions(deliveries)
    .option('--json', 'print a list of deliveries as JSON')
    .action(async (id: string, options: DeliveryOptions) => setExitCode(await listDeliveries(id, options)))
  addExamples(deliveries, [
    'framegate webhooks deliveries wh_5d0f8a1c... --status failed',
    'framegate webhooks deliveries tasks --task task_0197c0de...',
  ])

  const resend = webhooks
    .command('resend')
    .description('Send one event of a webhook again, or all failed events since a given time.')
    .argument('<id>', 'a webhook id; with a delivery id also `tasks`, for events sent to the `webhook_url` of a task')
    .argument('[delivery]', 'a delivery id')
    .addOption(
      new Option('--failed-since <time>', 'all failed events since this time, such as 2026-11-26').argParser((text) =>
        readTime(text),
      ),
    )
  addConnectionOptions(resend)
    .option('--json', "print the server's response as JSON")
    .action(async (id: string, delivery: string | undefined, options: JsonOptions & { failedSince?: number }) =>
      setExitCode(await resendDeliveries(id, delivery, options)),
    )
  addExamples(resend, [
    'framegate webhooks resend wh_5d0f8a1c... whd_0c9e7b5a...',
    'framegate webhooks resend wh_5d0f8a1c... --failed-since 2026-11-26',
  ])
}

async function listDeliveries(id: string, { status, type, task, limit, cursor, ...options }: DeliveryOptions): Promise<number> {
  const path = `/v2/webhooks/${encodeURIComponent(id)}/deliveries`
  const request = { path, query: { status, type, task }, limit, cursor }
  return readAndShow<WebhookDelivery>(options, request, {
    describe: (deliveries) => table(columns, deliveries.map(rowOf)),
    whenEmpty: 'There are no such deliveries. A webhook does not receive events from before it was created.',
  })
}

async function resendDeliveries(
  id: string,
  delivery: string | undefined,
  { failedSince, ...options }: JsonOptions & { failedSince?: number },
): Promise<number> {
  if ((delivery === undefined) === (failedSince === undefined))
    throw new CommandFailure(exitCodes.usage, 'Give either a delivery id or --failed-since.')
  if (delivery !== undefined) {
    return callAndShow(
      options,
      ({ client, call }) => client.webhooks.resend(id, delivery, call),
      () => `${delivery} is sent again`,
    )
  }
  return callAndShow(
    options,
    ({ client, call }) => client.webhooks.resendFailed(id, failedSince ?? 0, call),
    ({ resent, has_more: hasMore }) =>
      `${resent} deliveries are sent again${hasMore ? '; repeat the command for the others' : ''}`,
  )
}

function rowOf({ id, type, status, attempts, task, created, last_attempt: last }: WebhookDelivery): string[] {
  const response = last === null ? '' : (last.error ?? `${last.status_code} in ${last.duration_ms} ms`)
  return [id, type, status, String(attempts), task ?? '', timeText(created) ?? '', response]
}
