// Measures the throughput of the HTTP API relative to a plain Fastify route that does the same HTTP
// and JSON work. Both are measured alternately in one run.
//   npm run bench -- [--quick] [--json] [--only rates,lives,held,memory] [--sockets] [--patience 2]
// docs/performance.md explains the figures and shows results.
import { parseArgs } from 'node:util'
import { measureLongPolls } from './long-polls.ts'
import { openLoad } from './load.ts'
import { machineLine, thisMachine } from './machine.ts'
import { BenchProcess } from './bench-process.ts'
import type { ServiceOptions } from './measured-service.ts'
import { OtherLoad } from './other-load.ts'
import { measureRates, type RateOptions, type RateRow, type Scenario } from './rates.ts'
import { polls, submits } from './requests.ts'
import { factTable, rateTable, type Fact } from './table.ts'
import { measureTasksInFlight } from './tasks-in-flight.ts'
import { measureEndToEnd } from './end-to-end-tasks.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** Whether to use plain sockets even if wrk is installed. */
    sockets: { type: 'boolean', default: false },
    /** Maximum time in seconds for which a round waits until other processes are idle. */
    patience: { type: 'string', default: '2' },
  },
})

const partNames = (values.only ?? 'rates,lives,held,memory').split(',')
const accounts = 1_000
const polledTasks = 1_000
const tasksInFlightMax = 1_000
const tasksAtOnceMax = 1_000_000

const otherLoad = new OtherLoad(Number(values.patience) * 1000)

await using load = await openLoad(values.sockets)
await using baseline = await BenchProcess.start('measured-baseline.ts')
const options: RateOptions = {
  load: load.load,
  others: otherLoad,
  baseline,
  rounds: values.quick ? 1 : 8,
  roundSeconds: values.quick ? 0.2 : 1,
  connections: 64,
}

const measured = {
  rates: await runPart('rates', measureAllRates),
  facts: [
    ...(await runPart('lives', measureEndToEndTasks)),
    ...(await runPart('held', measureLongPollFacts)),
    ...(await runPart('memory', measureMemory)),
  ],
}
const report = {
  ...thisMachine(load.name),
  othersShare: otherLoad.share,
  ...measured,
}
if (values.json) console.log(JSON.stringify(report, null, 2))
else {
  const { othersShare } = report
  console.log(machineLine(report))
  if (othersShare !== null)
    console.log(`other processes used ${(othersShare * 100).toFixed(0)} % of the CPU time between the rounds`)
  if (report.rates.length > 0) console.log(`\n${rateTable(report.rates)}`)
  if (report.facts.length > 0) console.log(`\n${factTable(report.facts)}`)
}

async function runPart<Row>(name: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  return partNames.includes(name) ? await measure() : []
}

async function measureAllRates(): Promise<RateRow[]> {
  // Submits and polls are measured on two services, so that the memory that submits use does not
  // affect polls.
  await using queue = await startService({ driver: 'none', inFlightMax: 0, accounts: accounts + 1 })
  await using polled = await startService({ driver: 'none', inFlightMax: 0, accounts: 1 })
  const keys = await queue.call<string[]>('keys')
  await queue.call('limit', accounts)
  const [polledKey = ''] = await polled.call<string[]>('keys')
  const running = await polled.call<string[]>('run', polledTasks)
  const endedIds = await polled.call<string[]>('run', polledTasks)
  await polled.call('complete', endedIds)

  const submit = { service: queue, target: 0.6, cleanUp: () => queue.call('cancelAll') }
  const withKey = { withIdempotencyKey: true }
  const oneKey = keys.slice(0, 1)
  const limited = keys.splice(accounts)
  const scenarios: Scenario[] = [
    { what: 'submit', ...submit, requests: submits(oneKey) },
    { what: 'submit, every limit set', ...submit, requests: submits(limited) },
    { what: 'submit with Idempotency-Key', ...submit, requests: submits(oneKey, withKey) },
    { what: 'submit, 1,000 accounts', ...submit, requests: submits(keys) },
    { what: 'submit with Idempotency-Key, 1,000 accounts', ...submit, requests: submits(keys, withKey) },
    { what: 'poll of an ended task', service: polled, target: 0.9, requests: polls(polledKey, endedIds) },
    { what: 'poll of a running task', service: polled, target: 0.85, requests: polls(polledKey, running) },
  ]
  return await measureRates(scenarios, options)
}

async function measureEndToEndTasks(): Promise<Fact[]> {
  const facts: Fact[] = []
  for (const [label, driver] of [
    ['refused by the driver', 'refusing'],
    ['completed with a stored image', 'instant'],
  ] as const) {
    await using service = await startService({ driver, inFlightMax: tasksInFlightMax, accounts: 1 })
    const requests = submits(await service.call<string[]>('keys'), { model: 'imgA-5.0' })
    facts.push(...(await measureEndToEnd(label, service, requests, options)))
  }
  return facts
}

async function measureLongPollFacts(): Promise<Fact[]> {
  await using service = await startService({ driver: 'none', inFlightMax: 0, accounts: 1 })
  const [key = ''] = await service.call<string[]>('keys')
  return await measureLongPolls(service, key, options)
}

async function measureMemory(): Promise<Fact[]> {
  await using service = await startService({ driver: 'endless', inFlightMax: tasksAtOnceMax, accounts: 1 })
  return await measureTasksInFlight(service, submits(await service.call<string[]>('keys')), options)
}

function startService(serviceOptions: ServiceOptions): Promise<BenchProcess> {
  return BenchProcess.start('measured-service.ts', serviceOptions)
}
