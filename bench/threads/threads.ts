// Measures how throughput and CPU time change with the number of threads that serve HTTP on SQLite,
// and computes from the CPU times the throughput on a machine with a core for each thread.
//   npm run bench:threads -- [--threads 1,2,4] [--rounds 5] [--seconds 2] [--connections 64]
//     [--only TEXT] [--json]          with --only, only the cases whose name contains the text
// docs/performance.md explains the figures and shows results.
import { parseArgs } from 'node:util'
import { openLoad } from '../http/load.ts'
import { machineLine, thisMachine } from '../http/machine.ts'
import { BenchProcess } from '../http/bench-process.ts'
import type { ServiceOptions } from '../http/measured-service.ts'
import { polls, submits, type RequestText } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import { fitModel, type CaseFigures, type ThreadFigures } from './model.ts'

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})

const accounts = 1_000
const polledTasks = 1_000
const modeledThreads = [2, 4, 8, 16]

interface Measured {
  threads: number
  service: BenchProcess
  cases: { what: string; requests: readonly RequestText[] }[]
}

await using load = await openLoad(false)
await using services = new AsyncDisposableStack()
const measured: Measured[] = []
for (const threads of values.threads.split(',').map(Number)) measured.push(await openService(threads))

const figures = new Map<string, ThreadFigures[]>()
for (let round = -1; round < Number(values.rounds); round++) {
  for (const { threads, service, cases } of round % 2 === 0 ? measured : measured.toReversed()) {
    for (const { what, requests } of cases) {
      const roundFigures = await measure(service, threads, requests)
      // Round -1 is a warm-up.
      if (round >= 0) figures.set(what, [...(figures.get(what) ?? []), roundFigures])
    }
    await service.call('cancelAll')
  }
}

const cases = [...figures].map(([label, rounds]): CaseFigures => ({
  what: label,
  byThreads: measured.map(({ threads }) => combineRounds(rounds, threads)),
}))
const machine = thisMachine(load.name)
if (values.json) console.log(JSON.stringify({ ...machine, cases }, null, 2))
else {
  console.log(machineLine(machine))
  for (const caseFigures of cases) console.log(`\n${describeCase(caseFigures)}`)
}

async function openService(threads: number): Promise<Measured> {
  const options: ServiceOptions = {
    driver: 'none',
    inFlightMax: 0,
    accounts,
    settings: { FRAMEGATE_THREADS: String(threads) },
  }
  const service = services.use(await BenchProcess.start('measured-service.ts', options))
  const keys = await service.call<string[]>('keys')
  const runningIds = await service.call<string[]>('run', polledTasks)
  const endedIds = await service.call<string[]>('run', polledTasks)
  await service.call('complete', endedIds)
  const [key = ''] = keys
  const cases = [
    { what: 'poll of an ended task', requests: polls(key, endedIds) },
    { what: 'poll of a running task', requests: polls(key, runningIds) },
    { what: 'submit, 1,000 accounts', requests: submits(keys) },
  ]
  return { threads, service, cases: cases.filter(({ what }) => what.includes(values.only)) }
}

async function measure(service: BenchProcess, threads: number, requests: readonly RequestText[]): Promise<ThreadFigures> {
  const cpuBefore = await service.call<Record<string, number>>('cpuByThread')
  const loadResult = await load.load({
    port: service.port,
    requests,
    connections: Number(values.connections),
    seconds: Number(values.seconds),
  })
  const cpuAfter = await service.call<Record<string, number>>('cpuByThread')
  if (loadResult.failed > 0) throw new Error(`${loadResult.failed} of ${loadResult.responses} requests failed: ${requests[0]}`)
  const microsOf = (name: string): number => (((cpuAfter[name] ?? 0) - (cpuBefore[name] ?? 0)) / loadResult.responses) * 1000
  const [main, http, writer] = ['MainThread', 'http', 'writer'].map(microsOf)
  return {
    threads,
    perSecond: loadResult.responses / loadResult.seconds,
    p99Ms: loadResult.p99Ms,
    mainMicros: main ?? 0,
    httpMicros: http ?? 0,
    writerMicros: writer ?? 0,
  }
}

/**
 * Combines the rounds with this number of threads: returns medians, and for CPU times the minimum,
 * because other load can only increase them.
 */
function combineRounds(rounds: readonly ThreadFigures[], threads: number): ThreadFigures {
  const figuresOf = (field: keyof ThreadFigures): number[] =>
    rounds.filter((round) => round.threads === threads).map((round) => round[field])
  return {
    threads,
    perSecond: median(figuresOf('perSecond')),
    p99Ms: median(figuresOf('p99Ms')),
    mainMicros: Math.min(...figuresOf('mainMicros')),
    httpMicros: Math.min(...figuresOf('httpMicros')),
    writerMicros: Math.min(...figuresOf('writerMicros')),
  }
}

function describeCase(figuresOfCase: CaseFigures): string {
  const { what, byThreads } = figuresOfCase
  const lines = byThreads.map(
    ({ threads, perSecond, p99Ms, mainMicros, httpMicros, writerMicros }) =>
      `${threads} threads: ${perSecond.toFixed(0)} req/s, p99 ${p99Ms.toFixed(1)} ms; CPU per response: main ${mainMicros.toFixed(1)}, ` +
      `others that serve HTTP ${httpMicros.toFixed(1)}, writer ${writerMicros.toFixed(1)} µs`,
  )
  const model = fitModel(figuresOfCase)
  const modeled = modeledThreads.map((threads) => {
    const { perSecond, limit } = model(threads)
    return `modeled with a core for each of ${threads} threads: ${perSecond.toFixed(0)} req/s, limited by ${limit}`
  })
  return [what, ...lines, ...modeled].join('\n')
}
