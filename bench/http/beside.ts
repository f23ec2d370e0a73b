// This checkout's service beside that of another one, an older version for instance, in turns in one run.
//   node bench/http/beside.ts --other ../framegate-before [--rounds 8] [--seconds 1] [--patience 2] [--json]
// The other checkout has its packages installed. docs/performance.md says what was found so.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import { syncMs } from './disk.ts'
import { openLoad } from './load.ts'
import { MeasuredProcess } from './measured-process.ts'
import type { ServiceOptions } from './measured-service.ts'
import { OtherWork } from './other-work.ts'
import { measureOnce } from './rates.ts'
import { polls, submits, type RequestText } from './requests.ts'
import { median } from './statistics.ts'
import { lineOf } from './table.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1' },
    patience: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
})
if (values.other === undefined) throw new Error('--other names the folder of the other checkout')

interface Scenario {
  what: string
  requestsFor: (process: MeasuredProcess) => Promise<RequestText[]>
  tidies: boolean
}

const accounts = 1_000
const polledTasks = 1_000
const withKey = { withIdempotencyKey: true }
const service: ServiceOptions = { driver: 'none', inFlightMax: 0, accounts }
const scenarios: Scenario[] = [
  { what: 'submit', requestsFor: async (process) => submits((await keysOf(process)).slice(0, 1)), tidies: true },
  {
    what: 'submit with Idempotency-Key',
    requestsFor: async (process) => submits((await keysOf(process)).slice(0, 1), withKey),
    tidies: true,
  },
  { what: 'submit, 1,000 accounts', requestsFor: async (process) => submits(await keysOf(process)), tidies: true },
  { what: 'poll of a running task', requestsFor: runningOf, tidies: false },
]

await using load = await openLoad(false)
await using other = await MeasuredProcess.start(measuredServiceIn(values.other), service)
await using ours = await MeasuredProcess.start('measured-service.ts', service)
const others = new OtherWork(Number(values.patience) * 1000)
const options = { load: load.load, connections: 64, roundSeconds: Number(values.seconds) }

const rows = []
for (const { what, requestsFor, tidies } of scenarios) {
  const sides = [
    { process: other, requests: await requestsFor(other), perSecond: [] as number[] },
    { process: ours, requests: await requestsFor(ours), perSecond: [] as number[] },
  ] as const
  for (let round = -1; round < Number(values.rounds); round++) {
    await others.awaitQuiet()
    for (const { process, requests, perSecond } of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await measureOnce(process, requests, options)
      if (tidies) await process.call('cancelAll')
      if (round >= 0) perSecond.push(rate.perSecond)
    }
  }
  const [before, now] = sides
  const ofOther = median(now.perSecond.map((rate, round) => rate / (before.perSecond[round] ?? 0)))
  rows.push({ what, other: median(before.perSecond), ours: median(now.perSecond), ofOther })
}
const report = { load: load.name, syncMs: syncMs(), othersShare: others.share, rows }
if (values.json) console.log(JSON.stringify(report, null, 2))
else {
  const share = ((report.othersShare ?? 0) * 100).toFixed(0)
  console.log(
    `load by ${report.load}, ${report.syncMs.toFixed(2)} ms to sync a page to disk, other work took ${share} % between the rounds\n`,
  )
  console.log(lineOf('', ['other /s', 'this /s', 'of other']))
  for (const row of rows) console.log(lineOf(row.what, [row.other.toFixed(0), row.ours.toFixed(0), row.ofOther.toFixed(2)]))
}

function keysOf(process: MeasuredProcess): Promise<string[]> {
  return process.call<string[]>('keys')
}

async function runningOf(process: MeasuredProcess): Promise<RequestText[]> {
  const [key = ''] = await keysOf(process)
  return polls(key, await process.call<string[]>('run', polledTasks))
}

function measuredServiceIn(checkout: string): string {
  return pathToFileURL(path.resolve(checkout, 'bench/http/measured-service.ts')).href
}
