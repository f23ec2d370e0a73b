import { callServer } from '../connection/call-server.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JsonOptions } from '../operation/call-and-show.ts'
import { paragraph, table, type Column } from '../terminal/table.ts'
import { explain, writeJson, writeLine } from '../terminal/write.ts'

interface UsageQuery {
  from: string | undefined
  to: string | undefined
  by: string
  brand: string | undefined
  account: string | undefined
  model: string | undefined
}

interface Sums {
  tasks: number
  failed: number
  amount: number
  cost: number | null
  cost_unknown: number
  margin: number | null
  corrections: number
}

type Dimension = 'day' | 'brand' | 'account' | 'key' | 'model' | 'route' | 'upstream'

interface UsageOfAll {
  from: string
  to: string
  items: (Sums & Partial<Record<Dimension | 'brand_name' | 'account_name' | 'key_name', string | null>>)[]
  total: Sums
}

const allDimensions: readonly Dimension[] = ['day', 'brand', 'account', 'key', 'model', 'route', 'upstream']
const sumColumns: Column[] = [
  { heading: 'TASKS' },
  { heading: 'FAILED', rank: 1 },
  { heading: 'CREDITS' },
  { heading: 'COST' },
  { heading: 'MARGIN' },
  { heading: 'CORRECTIONS', rank: 2 },
]

/** Prints usage, revenue, cost and margin of all accounts. */
export async function showUsageOfAll(options: JsonOptions, query: UsageQuery): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    const request = { method: 'GET', path: '/admin/v1/usage', query: { ...query } } as const
    const usage = await client.request<UsageOfAll>(request, call)
    if (options.json) writeJson(usage)
    else if (usage.items.length === 0) explain(`No matching task has ended in this period (${usage.from} to ${usage.to}).`)
    else writeLine(describe(usage, query.by.split(',')))
    return exitCodes.ok
  })
}

function describe({ items, total }: UsageOfAll, dimensions: readonly string[]): string {
  const shownDimensions = allDimensions.filter((name) => dimensions.includes(name))
  const nameColumns = shownDimensions.map((name): Column => ({
    heading: name.toUpperCase(),
    ...(name !== 'day' && { long: 'shorten' }),
  }))
  const rows = items.map((item) => [...shownDimensions.map((name) => nameOf(item, name)), ...cellsOf(item)])
  const totalRow = ['TOTAL', ...shownDimensions.slice(1).map(() => ''), ...cellsOf(total)]
  return [table([...nameColumns, ...sumColumns], [...rows, totalRow]), ...notesOf(total)].join('\n')
}

function nameOf(item: UsageOfAll['items'][number], name: Dimension): string {
  const id = item[name] ?? 'none'
  if (name !== 'brand' && name !== 'account' && name !== 'key') return id
  const displayName = item[`${name}_name`] ?? ''
  return displayName === '' ? id : `${displayName} (${id})`
}

function cellsOf({ tasks, failed, amount, cost, cost_unknown, margin, corrections }: Sums): string[] {
  const [costPrefix, marginPrefix] = cost_unknown === 0 ? ['', ''] : ['at least ', 'at most ']
  return [
    `${tasks}`,
    `${failed}`,
    `${amount}`,
    cost === null ? 'unknown' : `${costPrefix}${cost}`,
    margin === null ? 'unknown' : `${marginPrefix}${margin}`,
    `${corrections}`,
  ]
}

function notesOf({ cost_unknown: unknown }: Sums): string[] {
  if (unknown === 0) return []
  const jobs = unknown === 1 ? '1 job' : `${unknown} jobs`
  const notice = `The cost of ${jobs} at upstreams is unknown. Set the cost of their routes, and resolve unresolved attempts.`
  return ['', paragraph(notice)]
}
