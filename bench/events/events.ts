// Measures event streams and webhooks.
//   npm run bench:events -- [--only streams,deliveries,subscribed,processes,old] [--streams 10000]
//     [--deliveries 5000] [--old 1000000] [--rounds 8] [--json]
// docs/performance.md describes the measurements.
import { parseArgs } from 'node:util'
import { lineOf } from '../http/table.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureOldDeliveries } from './old-deliveries.ts'
import { isReached, type Row } from './row.ts'
import { measureProcesses } from './several-processes.ts'
import { measureStreams } from './streams.ts'
import { measureSubscribed } from './subscribed.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'streams,deliveries,subscribed,processes,old' },
    streams: { type: 'string', default: '10000' },
    deliveries: { type: 'string', default: '5000' },
    old: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
})
const deliveries = Number(values.deliveries)
const rounds = Number(values.rounds)
const parts: Record<string, () => Promise<Row[]>> = {
  streams: () => measureStreams(Number(values.streams)),
  deliveries: () => measureDeliveries(deliveries),
  subscribed: () => measureSubscribed(rounds),
  processes: () => measureProcesses(),
  old: () => measureOldDeliveries({ oldCount: Number(values.old), deliveries, rounds: Math.ceil(rounds / 2) }),
}

const rows: Row[] = []
for (const name of values.only.split(',')) {
  const measure = parts[name]
  if (measure === undefined) throw new Error(`--only must be some of ${Object.keys(parts).join(', ')}; got ${name}`)
  const partRows = await measure()
  rows.push(...partRows)
  if (!values.json) for (const row of partRows) console.log(textOf(row))
}
if (values.json) console.log(JSON.stringify(rows, null, 2))

function textOf({ what, figure, unit, target }: Row): string {
  const limit = target === undefined ? '' : 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`
  const reached = target === undefined ? '' : isReached({ figure, target }) ? 'reached' : 'missed'
  return lineOf(what.padEnd(76), [figure.toFixed(Math.abs(figure) < 10 ? 3 : 0), unit, limit, reached])
}
