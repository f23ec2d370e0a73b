import type { Command } from 'commander'
import { newWebhookSecret, signatureHeaders } from '@framegate/contract/webhook-signature'
import { FramegateError, type RecordedEventType, type StreamedEvent } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { callServer, type ServerSession } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JsonOptions } from '../operation/call-and-show.ts'
import { addExamples } from '../terminal/examples.ts'
import { plainText, writeToStderr, writeJson, writeLine } from '../terminal/write.ts'

interface ListenOptions extends JsonOptions {
  forwardTo?: string
  events?: RecordedEventType[]
}

/** Response of the local server to a forwarded event. */
interface ForwardResult {
  status: number | null
  error: string | null
  durationMs: number
}

const responseTimeoutMs = 15_000
const eventTypesText = 'task.completed, task.failed, task.processing, credits.low'

export function addListenCommand(program: Command, setExitCode: (code: number) => void): void {
  const listen = program
    .command('listen')
    .summary('receive the events of the account on this machine')
    .description(
      'Receive the events of the account as they happen, and forward them to a local URL with webhook signatures. The machine ' +
        'needs no public address. The command reconnects after a lost connection and runs until Ctrl-C.',
    )
    .option('--forward-to <url>', 'send each event to this URL, such as http://localhost:3000/hook')
    .option('--events <list>', `event types, separated by commas: ${eventTypesText}`, (text) =>
      text.split(',').map((part) => part.trim()),
    )
  addConnectionOptions(listen)
    .option('--json', 'print each event and its response as one line of JSON')
    .action(async (options: ListenOptions) => setExitCode(await listenToEvents(options)))
  addExamples(listen, [
    'framegate listen --forward-to http://localhost:3000/hook',
    'framegate listen --events task.completed --json | jq -r .event.data.result_url',
  ])
}

async function listenToEvents({ forwardTo, events: types, ...options }: ListenOptions): Promise<number> {
  const target = forwardTo === undefined ? null : readTarget(forwardTo)
  return callServer(options, 'require server', async (session) => {
    const { client, call } = session
    const secret = target === null ? null : await signingSecret(session)
    if (target !== null && secret !== null) {
      writeToStderr(`Events are forwarded to ${target.href}, signed with this secret:\n${secret}`)
    }
    for await (const { streamId: _streamId, ...event } of client.events.stream({ types, ...call })) {
      const forwardResult =
        target === null || secret === null ? null : await forward(event, target, { secret, signal: call.signal })
      if (options.json) writeJson({ event, ...(forwardResult && { response: forwardResult }) })
      else writeLine(plainText(describe(event, forwardResult)))
    }
    return exitCodes.ok
  })
}

/**
 * Returns the account's signing secret, or a random one for this run if the key may not read it.
 */
async function signingSecret({ client, call }: ServerSession): Promise<string> {
  try {
    return (await client.webhooks.accountSecret(call)).secret
  } catch (error) {
    if (!(error instanceof FramegateError) || error.code !== 'key_scope_missing') throw error
    return newWebhookSecret()
  }
}

async function forward(
  event: Omit<StreamedEvent, 'streamId'>,
  target: URL,
  { secret, signal }: { secret: string; signal: AbortSignal },
): Promise<ForwardResult> {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const startedAt = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...signatureHeaders([secret], { id: event.id, timestamp, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
    })
    await response.body?.cancel()
    const error = response.ok ? null : `status ${response.status}`
    return { status: response.status, error, durationMs: durationMs() }
  } catch (error) {
    signal.throwIfAborted()
    return { status: null, error: reasonOf(error), durationMs: durationMs() }
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message: string }
  return cause?.code ?? message
}

function describe(event: Omit<StreamedEvent, 'streamId'>, forwarded: ForwardResult | null): string {
  const subject = 'id' in event.data ? ` ${event.data.id}` : ''
  const response = forwarded === null ? '' : ` -> ${forwarded.error ?? forwarded.status} in ${forwarded.durationMs} ms`
  return `${event.timestamp} ${event.type}${subject}${response}`
}

function readTarget(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new CommandFailure(exitCodes.usage, `--forward-to must be a URL such as http://localhost:3000/hook; got ${text}.`)
}
