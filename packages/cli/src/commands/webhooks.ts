import { Option, type Command } from 'commander'
import type { IssuedWebhook, RecordedEventType, Webhook, WebhookFormat } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { callAndShow, listAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { createSecret, writeSecret } from '../operation/create-secret.ts'
import { limitParser, orNull, noChangeFailure, type Limit } from '../operation/limits.ts'
import { splitList } from '../operation/split-list.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { writeToStderr } from '../terminal/write.ts'
import { addAllWebhooksCommands } from './all-webhooks.ts'
import { addDeliveryCommands } from './webhook-deliveries.ts'

interface WebhookOptions extends JsonOptions {
  target?: string
  description?: string
  events?: RecordedEventType[]
  format?: WebhookFormat
  rateLimit?: Limit
  enable?: true
  disable?: true
}

const columns: (string | Column)[] = [
  'ID',
  'STATE',
  { heading: 'EVENTS', long: 'shorten', rank: 2 },
  { heading: 'URL', long: 'shorten', rank: 1 },
]
const webhooksPath = '/v2/webhooks'
const webhooksMax = 100
const eventTypesText = 'task.completed, task.failed, task.processing, credits.low'

export function addWebhooksCommand(program: Command, setExitCode: (code: number) => void): void {
  const webhooks = program
    .command('webhooks')
    .summary("send the account's events to your server")
    .description('Create, change and test webhooks, and show their deliveries.')
    .helpCommand(false)
  addExamples(webhooks, [
    'framegate webhooks create https://example.com/hooks/framegate',
    'framegate webhooks test wh_5d0f8a1c...',
    'framegate webhooks deliveries wh_5d0f8a1c... --status failed',
  ])

  const create = webhooks
    .command('create')
    .description('Create a webhook and print its secret, which is not shown again.')
    .argument('<url>', 'a public https address')
  addWebhookOptions(create)
    .addOption(new Option('--format <format>', 'payload format of the events').choices(['standard', 'openai']))
    .option('--json', 'print the webhook as JSON, with its secret')
    .action(async (url: string, options: WebhookOptions) => setExitCode(await createWebhook(url, options)))
  addExamples(
    create,
    [
      'framegate webhooks create https://example.com/hook',
      'SECRET=$(framegate webhooks create https://example.com/hook --events task.completed)',
    ],
    'A local address is rejected unless the operator has allowed it. `framegate listen --forward-to` forwards events to any local URL.',
  )

  const list = webhooks.command('list').description('Show the webhooks of the account, without their secrets.')
  addConnectionOptions(list)
    .option('--json', 'print a list of webhooks as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listWebhooks(options)))
  addExamples(list, ['framegate webhooks list'])

  const update = webhooks
    .command('update')
    .description('Change a webhook. Omitted options stay unchanged.')
    .argument('<id>', 'a webhook id')
    .option('--target <url>', 'a public https address')
  addWebhookOptions(update)
    .option('--enable', 'resume deliveries to the webhook')
    .addOption(new Option('--disable', 'stop deliveries to the webhook').conflicts('enable'))
    .option('--json', 'print the webhook as JSON')
    .action(async (id: string, options: WebhookOptions) => setExitCode(await updateWebhook(id, options)))
  addExamples(update, [
    'framegate webhooks update wh_5d0f8a1c... --enable',
    'framegate webhooks update wh_5d0f8a1c... --rate-limit 10',
  ])

  const remove = webhooks.command('delete').description('Delete a webhook and its deliveries.').argument('<id>', 'a webhook id')
  addConnectionOptions(remove)
    .option('--json', "print the server's response as JSON")
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(
        await callAndShow(
          options,
          ({ client, call }) => client.webhooks.delete(id, call),
          () => `${id} deleted`,
        ),
      ),
    )
  addExamples(remove, ['framegate webhooks delete wh_5d0f8a1c...'])

  const rotate = webhooks
    .command('rotate')
    .description(
      'Create and print a new secret for a webhook. The secret cannot be shown again. For 24 hours, events are signed with both secrets.',
    )
    .argument('<id>', 'a webhook id')
  addConnectionOptions(rotate)
    .option('--json', 'print the webhook as JSON, with its new secret')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(
        await callServer(options, 'require server', async (session) => {
          const path = `${webhooksPath}/${encodeURIComponent(id)}/rotate-secret`
          return showSecret(await createSecret<IssuedWebhook>(session, { owners: 'webhooks', path }), options)
        }),
      ),
    )
  addExamples(rotate, ['framegate webhooks rotate wh_5d0f8a1c...'])

  const test = webhooks.command('test').description('Send a test event to a webhook.').argument('<id>', 'a webhook id')
  addConnectionOptions(test)
    .option('--json', 'print the delivery as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(
        await callAndShow(
          options,
          ({ client, call }) => client.webhooks.test(id, call),
          (delivery) => `${delivery.id} is being sent: framegate webhooks deliveries ${id} shows the response`,
        ),
      ),
    )
  addExamples(test, ['framegate webhooks test wh_5d0f8a1c...'])

  addDeliveryCommands(webhooks, setExitCode)

  const secret = webhooks
    .command('secret')
    .description("Print the secret that signs events sent to a task's `webhook_url`.")
    .option('--rotate', 'first replace the secret; for 24 hours, events are signed with both')
  addConnectionOptions(secret)
    .option('--json', 'print the secret as JSON')
    .action(async ({ rotate: isRotated, ...options }: JsonOptions & { rotate?: true }) =>
      setExitCode(
        await callAndShow(
          options,
          ({ client, call }) => (isRotated ? client.webhooks.rotateAccountSecret(call) : client.webhooks.accountSecret(call)),
          (signingSecrets) => signingSecrets.secret,
        ),
      ),
    )
  addExamples(secret, ['framegate webhooks secret'])

  addAllWebhooksCommands(webhooks, setExitCode)
}

function addWebhookOptions(command: Command): Command {
  command
    .option('--description <text>', 'human-readable description')
    .addOption(new Option('--events <list>', `event types, separated by commas: ${eventTypesText}`).argParser(splitList))
    .option('--rate-limit <number>', 'maximum number of requests per second, or `none` for no limit', limitParser('requests'))
  return addConnectionOptions(command)
}

async function createWebhook(
  url: string,
  { description, events, format, rateLimit, ...options }: WebhookOptions,
): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const body = { url, description, events, format, rate_limit: orNull(rateLimit) }
    return showSecret(await createSecret<IssuedWebhook>(session, { owners: 'webhooks', path: webhooksPath, body }), options)
  })
}

async function listWebhooks(options: JsonOptions): Promise<number> {
  return listAndShow(options, async ({ client, call }) => (await client.webhooks.list({ ...call, limit: webhooksMax })).items, {
    describe: (webhooks) => table(columns, webhooks.map(rowOf)),
    whenEmpty: 'The account has no webhooks. Create one with framegate webhooks create URL.',
  })
}

async function updateWebhook(id: string, options: WebhookOptions): Promise<number> {
  const { target, description, events, rateLimit, enable, disable } = options
  const endpoint = {
    url: target,
    description,
    events,
    rate_limit: orNull(rateLimit),
    enabled: enable ?? (disable ? false : undefined),
  }
  const change = Object.fromEntries(Object.entries(endpoint).filter(([, value]) => value !== undefined))
  if (Object.keys(change).length === 0) throw noChangeFailure()
  return callAndShow(options, ({ client, call }) => client.webhooks.update(id, change, call), describe)
}

/** Prints only the secret to stdout, so that `SECRET=$(framegate webhooks create ...)` works. */
async function showSecret(webhook: IssuedWebhook, { json }: JsonOptions): Promise<number> {
  if (!json) writeToStderr(`${webhook.id} sends ${webhook.events.join(', ')}. Its secret, which is not shown again:`)
  await writeSecret(`${json ? JSON.stringify(webhook) : webhook.secret}\n`, 'webhooks', webhook.id)
  return exitCodes.ok
}

function describe(webhook: Webhook): string {
  return facts([
    ['id', webhook.id],
    ['url', webhook.url],
    ['description', webhook.description === '' ? undefined : webhook.description],
    ['state', stateOf(webhook)],
    ['events', webhook.events.join(', ')],
    ['format', webhook.format],
    ['rate limit', webhook.rate_limit === null ? undefined : `${webhook.rate_limit} requests per second`],
    ['created', timeText(webhook.created)],
  ])
}

function rowOf(webhook: Webhook): string[] {
  return [webhook.id, stateOf(webhook), webhook.events.join(','), webhook.url]
}

function stateOf({ enabled, disabled_reason: reason, failing_since: since }: Webhook): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled (${reason})`
  return since === null ? 'enabled' : `failing since ${timeText(since)}`
}
