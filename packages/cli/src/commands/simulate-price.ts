import type { PriceSimulation } from '@framegate/contract'
import { InvalidArgumentError, type Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { requestAndShow } from '../operation/call-and-show.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addOwnerOptions, addPriceOptions, readPrice, type OwnerOptions, type PriceOptions } from '../operation/price-options.ts'
import { addExamples } from '../terminal/examples.ts'
import { paragraph, table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'

interface SimulateOptions extends OwnerOptions, PriceOptions {
  from?: string
  to?: string
}

export function addSimulatePriceCommand(prices: Command, setExitCode: (code: number) => void): void {
  const simulate = prices
    .command('simulate')
    .description('Show what completed tasks would have been charged under another price. Changes nothing.')
    .argument('<model...>', 'Model IDs')
    .option('--from <day>', 'the first day, UTC, such as 2026-01-15 (default: 29 days before the last day)', parseDay)
    .option('--to <day>', 'the last day, UTC (default: today)', parseDay)
  addPriceOptions(simulate)
  addConnectionOptions(addOwnerOptions(simulate, 'price for'))
    .option('--json', 'print the simulation as JSON')
    .action(async (models: string[], options: SimulateOptions) => setExitCode(await simulatePrice(models, options)))
  addExamples(
    simulate,
    [
      'framegate prices simulate vidDq3-turbo --unit second --credits 0.06',
      'framegate prices simulate imgA-5.0 --unit task --credits 0.03 --account acct_1 --from 2026-10-01 --to 2026-10-31',
    ],
    operatorNotes,
  )
}

async function simulatePrice(models: readonly string[], options: SimulateOptions): Promise<number> {
  const { brand, account, from, to } = options
  const body = {
    models,
    price: readPrice(options),
    ...(brand !== undefined && { brand }),
    ...(account !== undefined && { account }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  return requestAndShow(options, { method: 'POST', path: '/admin/v1/prices/simulate', body }, describe)
}

function describe({ from, until, complete, items, total }: PriceSimulation): string {
  const rows = items.map(({ model, ...sums }) => [model, ...cellsOf(sums)])
  const notes = [
    `Tasks accepted from ${timeText(from)} until ${timeText(until)}.`,
    ...(complete ? [] : ['The period has more tasks than a simulation covers. Only the newest ones are included.']),
    ...(total.skipped === 0
      ? []
      : [`${total.skipped} tasks are not included, because their stored data does not determine the new price.`]),
  ]
  return [
    table(
      [{ heading: 'MODEL ID', long: 'shorten' }, 'TASKS', 'CHARGED', 'SIMULATED', 'DIFFERENCE'],
      items.length === 1 ? rows : [...rows, ['TOTAL', ...cellsOf(total)]],
    ),
    '',
    paragraph(notes.join(' ')),
  ].join('\n')
}

function cellsOf({ tasks, charged, simulated, difference }: PriceSimulation['total']): string[] {
  return [`${tasks}`, `${charged}`, `${simulated}`, difference > 0 ? `+${difference}` : `${difference}`]
}

function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
  throw new InvalidArgumentError('It must be a day such as 2026-01-15.')
}
