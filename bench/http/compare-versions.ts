// Compares the service of this checkout with the service of another checkout, such as an older
// version. Both are measured alternately in one run.
//   node bench/http/compare-versions.ts --other ../framegate-before [--rounds 8] [--seconds 1]
//     [--patience 2] [--only submit] [--json]
// The other checkout must have its packages installed. docs/performance.md shows results.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import { measureSyncMs } from './disk.ts'
import { openLoad } from './load.ts'
import { BenchProcess } from './bench-process.ts'
import type { ServiceOptions } from './measured-service.ts'
import { OtherLoad } from './other-load.ts'
import { measureOnce, combineRates, type Rate } from './rates.ts'
import { polls, submits, type RequestText } from './requests.ts'
import { median } from './statistics.ts'
import { lineOf } from './table.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1' },
    patience: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
if (values.other === undefined) throw new Error('--other is required: the folder of the other checkout')

interface Scenario {
  what: string
  requestsFor: (process: BenchProcess) => Promise<RequestText[]>
  cancelsTasks: boolean
}

const accounts = 1_000
const polledTasks = 1_000
const withKey = { withIdempotencyKey: true }
const service: ServiceOptions = { driver: 'none', inFlightMax: 0, accounts }
const scenarios: Scenario[] = [
  { what: 'submit', requestsFor: async (process) => submits((await keysOf(process)).slice(0, 1)), cancelsTasks: true },
  {
    what: 'submit with Idempotency-Key',
    requestsFor: async (process) => submits((await keysOf(process)).slice(0, 1), withKey),
    cancelsTasks: true,
  },
  { what: 'submit, 1,000 accounts', requestsFor: async (process) => submits(await keysOf(process)), cancelsTasks: true },
  {
    what: 'submit with Idempotency-Key, 1,000 accounts',
    requestsFor: async (process) => submits(await keysOf(process), withKey),
    cancelsTasks: true,
  },
  { what: 'poll of a running task', requestsFor: pollsOfRunningTasks, cancelsTasks: false },
]

await using load = await openLoad(false)
await using otherProcess = await BenchProcess.start(measuredServiceIn(values.other), service)
await using thisService = await BenchProcess.start('measured-service.ts', service)
const otherLoad = new OtherLoad(Number(values.patience) * 1000)
const options = { load: load.load, connections: 64, roundSeconds: Number(values.seconds) }

const rows = []
for (const { what, requestsFor, cancelsTasks } of scenarios.filter(({ what }) => what.startsWith(values.only))) {
  const sides = [
    { process: otherProcess, requests: await requestsFor(otherProcess), rates: [] as Rate[] },
    { process: thisService, requests: await requestsFor(thisService), rates: [] as Rate[] },
  ] as const
  for (let round = -1; round < Number(values.rounds); round++) {
    await otherLoad.waitForIdle()
    for (const { process, requests, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await measureOnce(process, requests, options)
      if (cancelsTasks) await process.call('cancelAll')
      if (round >= 0) rates.push(rate)
    }
  }
  const [otherSide, thisSide] = sides
  const ratioToOther = median(thisSide.rates.map((rate, round) => rate.perSecond / (otherSide.rates[round]?.perSecond ?? 0)))
  rows.push({ what, other: combineRates(otherSide.rates), this: combineRates(thisSide.rates), ratioToOther })
}
const report = { load: load.name, syncMs: measureSyncMs(), othersShare: otherLoad.share, rows }
if (values.json) console.log(JSON.stringify(report, null, 2))
else {
  const share = ((report.othersShare ?? 0) * 100).toFixed(0)
  console.log(
    `load by ${report.load}, ${report.syncMs.toFixed(2)} ms to sync a page to disk, other processes used ${share} % of the CPU time between the rounds\n`,
  )
  console.log(lineOf('', ['req/s', 'of other', 'p99 ms', 'main µs', 'other µs']))
  for (const { what, other, this: thisRate, ratioToOther } of rows) {
    console.log(lineOf(`${what}: other`, cellsOf(other, '')))
    console.log(lineOf(`${what}: this`, cellsOf(thisRate, ratioToOther.toFixed(2))))
  }
}

function cellsOf({ perSecond, p99Ms, mainCpuMicros, otherCpuMicros }: Rate, ratio: string): string[] {
  return [perSecond.toFixed(0), ratio, p99Ms.toFixed(1), mainCpuMicros.toFixed(1), otherCpuMicros.toFixed(1)]
}

function keysOf(process: BenchProcess): Promise<string[]> {
  return process.call<string[]>('keys')
}

async function pollsOfRunningTasks(process: BenchProcess): Promise<RequestText[]> {
  const [key = ''] = await keysOf(process)
  return polls(key, await process.call<string[]>('run', polledTasks))
}

function measuredServiceIn(checkout: string): string {
  return pathToFileURL(path.resolve(checkout, 'bench/http/measured-service.ts')).href
}
