import { Option, type Command } from 'commander'
import type { ModelPrice } from '@framegate/sdk'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { listAndShow, requestAndShow } from '../operation/call-and-show.ts'
import { everyPage } from '../operation/every-page.ts'
import { idWithName } from '../operation/id-with-name.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import {
  addEffectiveOption,
  addOwnerOptions,
  addPriceOptions,
  readPrice,
  type OwnerOptions,
  type PriceOptions,
} from '../operation/price-options.ts'
import { addExamples } from '../terminal/examples.ts'
import { priceText } from '../terminal/model-page.ts'
import { facts, table } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { addSimulatePriceCommand } from './simulate-price.ts'

interface PriceLine {
  model: string
  brand: string | null
  brand_name: string | null
  account: string | null
  account_name: string | null
  price: ModelPrice | null
  effective_at: number
  state: 'current' | 'later' | 'replaced'
}

interface PriceChange {
  changed: boolean
  before: PriceLine | null
  after: PriceLine | null
}

interface CurrentPrice {
  model: string
  price: ModelPrice
  from: 'account' | 'brand' | 'all' | 'catalogue'
  later: PriceLine[]
}

interface ListOptions extends OwnerOptions {
  model?: string
  state?: PriceLine['state']
  all?: true
}

interface ChangeOptions extends OwnerOptions {
  effective?: number
  dryRun?: true
}

const path = '/admin/v1/prices'

export function addPricesCommand(program: Command, setExitCode: (code: number) => void): void {
  const prices = program
    .command('prices')
    .summary('set, simulate, remove and list prices')
    .description('For the operator: set prices that override the catalogue for all accounts, for a brand or for an account.')
    .helpCommand(false)
  addExamples(
    prices,
    ['framegate prices set vidDq3-turbo --unit second --credits 0.05 --account acct_1', 'framegate prices show vidDq3-turbo'],
    operatorNotes,
  )

  const list = prices
    .command('list')
    .description(
      'Show current and future prices that override the catalogue. `framegate models list` shows the prices in the catalogue.',
    )
    .option('--model <id>', 'only prices of this Model ID')
    .addOption(new Option('--state <state>', 'only prices in this state').choices(['current', 'later', 'replaced']))
    .addOption(new Option('--all', 'include replaced and removed prices').conflicts('state'))
  addConnectionOptions(addOwnerOptions(list, 'only prices of'))
    .option('--json', 'print a list of prices as JSON')
    .action(async (options: ListOptions) => setExitCode(await listPrices(options)))
  addExamples(list, ['framegate prices list', 'framegate prices list --account acct_1 --all'], operatorNotes)

  const show = prices
    .command('show')
    .description('Show the current price of a model, where it was set, and future prices.')
    .argument('<model>', 'a Model ID')
  addConnectionOptions(addOwnerOptions(show, 'price for'))
    .option('--json', 'print the current price as JSON')
    .action(async (model: string, options: OwnerOptions) => setExitCode(await showPrice(model, options)))
  addExamples(show, ['framegate prices show vidDq3-turbo', 'framegate prices show vidDq3-turbo --account acct_1'], operatorNotes)

  const set = prices
    .command('set')
    .description('Set a price for all accounts, for a brand or for an account. Repeating the command has no further effect.')
    .argument('<model>', 'a Model ID')
  addPriceOptions(set)
  addChangeOptions(set).action(async (model: string, options: ChangeOptions & PriceOptions) =>
    setExitCode(await changePrice(model, readPrice(options), options)),
  )
  addExamples(
    set,
    [
      'framegate prices set vidDq3-turbo --unit second --credits 0.05 --account acct_1',
      'framegate prices set vidDq3-turbo --unit second --credits 540p=0.03 --credits 0.05 --minimum-credits 0.2 --effective 2027-01-01',
      'framegate prices set imgA-5.0 --unit task --credits 0.03 --brand brand_default --round-to 0.01 --round up',
    ],
    operatorNotes,
  )

  addSimulatePriceCommand(prices, setExitCode)

  const remove = prices
    .command('remove')
    .description(
      'Remove a price. The next broader price then applies: that of the brand, that for all accounts, or that of the catalogue.',
    )
    .argument('<model>', 'a Model ID')
  addChangeOptions(remove).action(async (model: string, options: ChangeOptions) =>
    setExitCode(await changePrice(model, null, options)),
  )
  addExamples(remove, ['framegate prices remove vidDq3-turbo --account acct_1'], operatorNotes)
}

function addChangeOptions(command: Command): Command {
  addOwnerOptions(command, 'for')
  addEffectiveOption(command)
  return addConnectionOptions(command.option('--dry-run', 'show the effect without changing anything')).option(
    '--json',
    'print the change as JSON',
  )
}

async function listPrices({ model, brand, account, state, all, ...options }: ListOptions): Promise<number> {
  return listAndShow(
    options,
    async (session) => {
      const prices = await everyPage<PriceLine>(session, path, { model, brand, account, state })
      return all || state !== undefined ? prices : prices.filter(isInForce)
    },
    {
      describe(prices) {
        const rows = prices.map((price) => [
          price.model,
          price.state,
          timeText(price.effective_at) ?? '',
          ownerText(price),
          price.price === null ? 'none' : priceText(price.price),
        ])
        return table(
          [
            'MODEL ID',
            { heading: 'STATE', rank: 1 },
            { heading: 'BEGINS', rank: 2 },
            { heading: 'FOR', long: 'wrap' },
            { heading: 'CREDITS', long: 'wrap' },
          ],
          rows,
        )
      },
      whenEmpty:
        'No matching price is set. Without one, the prices of the catalogue apply; framegate models list shows them. Set a price with framegate prices set. ' +
        '--all includes replaced and removed prices.',
    },
  )
}

/**
 * Whether a price applies now or later. A price of null removes the current price, so that the next
 * broader one applies.
 */
function isInForce({ state, price }: PriceLine): boolean {
  return state === 'later' || (state === 'current' && price !== null)
}

async function showPrice(model: string, { brand, account, ...options }: OwnerOptions): Promise<number> {
  const query = { model, brand, account }
  return requestAndShow(
    options,
    { method: 'GET', path: `${path}/current`, query },
    ({ model: id, price, from, later }: CurrentPrice) =>
      facts([
        ['model', id],
        ['credits', priceText(price)],
        ['price of', { account: 'the account', brand: 'the brand', all: 'all', catalogue: 'the catalogue' }[from]],
        ...later.map((line) => [`from ${timeText(line.effective_at)}`, lineText(line)] as const),
      ]),
  )
}

async function changePrice(
  model: string,
  price: object | null,
  { brand, account, effective, dryRun, ...options }: ChangeOptions,
): Promise<number> {
  const body = {
    model,
    price,
    ...(brand !== undefined && { brand }),
    ...(account !== undefined && { account }),
    ...(effective !== undefined && { effective_at: effective }),
    ...(dryRun && { dry_run: true }),
  }
  return requestAndShow(options, { method: 'POST', path, body }, ({ changed, before, after }: PriceChange) =>
    facts([
      ['model', model],
      ['changed', changed ? (dryRun ? 'it would change' : 'yes') : 'no, the same price already applies'],
      ['before', before === null ? 'none' : lineText(before)],
      ['after', after === null ? 'none' : lineText(after)],
      ['begins', timeText(after?.effective_at)],
    ]),
  )
}

function lineText(line: PriceLine): string {
  return `${line.price === null ? 'none' : priceText(line.price)}, for ${ownerText(line)}`
}

function ownerText({ brand, brand_name, account, account_name }: PriceLine): string {
  if (account !== null) return idWithName(account, account_name ?? '')
  return brand === null ? 'all' : idWithName(brand, brand_name ?? '')
}
