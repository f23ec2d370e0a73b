import type { CreditAlert } from '@framegate/contract'
import { InvalidArgumentError, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { callAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { addExamples } from '../terminal/examples.ts'

interface AlertOptions extends JsonOptions {
  off?: true
}

/** `framegate credits alert` sets the balance below which the event `credits.low` is sent. */
export function addAlertCommand(credits: Command, setExitCode: (code: number) => void): void {
  const alert = credits
    .command('alert')
    .description(
      'Show or set the balance below which the account receives the event `credits.low`, over webhooks and event streams.',
    )
    .argument('[below]', 'credits, above 0 (default: show the current value)', positiveCredits)
    .option('--off', 'never send the event')
  addConnectionOptions(alert)
    .option('--json', 'print the alert as JSON')
    .action(async (threshold: number | undefined, options: AlertOptions) => setExitCode(await showOrSetAlert(threshold, options)))
  addExamples(
    alert,
    ['framegate credits alert', 'framegate credits alert 100', 'framegate credits alert --off'],
    'The key needs the scope `webhooks:write`.',
  )
}

async function showOrSetAlert(threshold: number | undefined, { off, ...options }: AlertOptions): Promise<number> {
  if (threshold !== undefined && off) throw new CommandFailure(exitCodes.usage, 'Give an amount or --off, not both.')
  const path = '/v2/credits/alert'
  const isRead = threshold === undefined && !off
  return callAndShow(
    options,
    ({ client, call }) =>
      client.request<CreditAlert>(
        isRead ? { method: 'GET', path } : { method: 'PUT', path, body: { below: threshold ?? null } },
        call,
      ),
    (alert) =>
      alert.below === null
        ? 'The event credits.low is off.'
        : `The event credits.low is sent when the balance falls below ${alert.below} credits.`,
  )
}

export function positiveCredits(text: string): number {
  const amount = Number(text)
  if (amount > 0 && Number.isFinite(amount)) return amount
  throw new InvalidArgumentError('It must be a number of credits above 0.')
}
