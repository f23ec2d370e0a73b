// Compares gateways with a fast upstream behind each of them. All are measured alternately in one
// run.
//   npm run bench:peers -- [--rounds 5] [--tasks 10000] [--json]
// docs/performance.md explains the figures. What is not installed is not measured.
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLoad } from '../http/load.ts'
import { machineLine, thisMachine } from '../http/machine.ts'
import { MeasuredProcess } from '../http/measured-process.ts'
import { median } from '../http/statistics.ts'
import { findSides, type Side } from './sides.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    tasks: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
})
const [rounds, tasks] = [Number(values.rounds), Number(values.tasks)]
const connections = 64
const submitSecondsMax = 60
const pollSeconds = 2
const polledTasks = 1_000
const warmUpTasks = 2_000
const steadyPerSecond = 100
const steadySeconds = 5
const handOverMsMax = 60_000

interface Round {
  submitsPerSecond: number
  submitP99Ms: number
  /** Submits that have reached the upstream, per second from the first one to the last. */
  handedOverPerSecond: number
  cpuMicrosPerTask: number
  pollsPerSecond: number
  pollP99Ms: number
  steadyP50Ms: number
  steadyP99Ms: number
  cpuMicrosPerSteadyTask: number
  megabytesPer10000Tasks: number
  doubled: number
}

/** A running gateway with its own upstream. */
interface Running {
  process: MeasuredProcess
  upstream: MeasuredProcess
}

await using opened = new AsyncDisposableStack()
const { load } = opened.use(await openLoad(true))
const measured = (await findSides(opened)).map((side) => ({ side, rounds: [] as Round[] }))
for (let round = 0; round < rounds; round++) {
  for (const one of round % 2 === 0 ? measured : measured.toReversed()) {
    console.error(`round ${round + 1} of ${rounds}: ${one.side.name}`)
    one.rounds.push(await measure(one.side))
  }
}
const machine = thisMachine('plain sockets')
const rows = measured.map(rowOf)
if (values.json) console.log(JSON.stringify({ ...machine, rows }, null, 2))
else {
  console.log(machineLine(machine))
  for (const { side, ...figures } of rows) {
    console.log(side)
    console.table(figures)
  }
}

function rowOf({ side, rounds: results }: { side: Side; rounds: readonly Round[] }): Record<string, string | number> {
  const names = Object.keys(results[0] ?? {}) as (keyof Round)[]
  const figures = names.map((name) => [name, round2(median(results.map((round) => round[name])))])
  return { side: side.name, acknowledges: side.acknowledges, ...Object.fromEntries(figures) }
}

/** Measures a gateway in a fresh process, without the CPU time of polls from an earlier one. */
async function measure(side: Side): Promise<Round> {
  await using upstream = await MeasuredProcess.start('../peers/measured-upstream.ts')
  await using process = await side.start(upstream.port)
  const [key = ''] = await process.call<string[]>('keys')
  const requests = side.submits(key)
  const submitAll = (requestsMax: number) =>
    submit({ process, upstream }, () =>
      load({ port: process.port, requests, connections, seconds: submitSecondsMax, requestsMax }),
    )
  await submitAll(warmUpTasks)
  const megabytesBefore = await process.call<number>('memoryMb')
  const submitted = await submitAll(tasks)
  const megabytes = (await process.call<number>('memoryMb')) - megabytesBefore
  const ids = await process.call<string[]>('runningTasks', polledTasks)
  const polls = await load({
    port: process.port,
    requests: ids.map((id) => side.poll(key, id)),
    connections,
    seconds: pollSeconds,
  })
  if (polls.failed > 0) throw new Error(`${side.name}: ${polls.failed} polls failed`)
  const steady = await submit({ process, upstream }, () =>
    load({ port: process.port, requests, connections, seconds: steadySeconds, perSecond: steadyPerSecond }),
  )
  return {
    submitsPerSecond: submitted.responses / submitted.seconds,
    submitP99Ms: submitted.p99Ms,
    handedOverPerSecond: submitted.handedOverPerSecond,
    cpuMicrosPerTask: submitted.cpuMicrosPerTask,
    pollsPerSecond: polls.responses / polls.seconds,
    pollP99Ms: polls.p99Ms,
    steadyP50Ms: steady.p50Ms,
    steadyP99Ms: steady.p99Ms,
    cpuMicrosPerSteadyTask: steady.cpuMicrosPerTask,
    megabytesPer10000Tasks: (megabytes * 10_000) / tasks,
    doubled: (await upstream.call<string[]>('doubled')).length,
  }
}

/** Runs a load of submits, and waits until the upstream has all of them. */
async function submit({ process, upstream }: Running, run: () => ReturnType<typeof load>) {
  const before = await upstream.call<number>('submits')
  const startedAt = performance.now()
  const { figures, done } = await process.figuresOf(async () => {
    const result = await run()
    if (result.failed > 0) throw new Error(`${result.failed} submits failed`)
    while ((await upstream.call<number>('submits')) - before < result.responses) {
      if (performance.now() - startedAt > submitSecondsMax * 1000 + handOverMsMax)
        throw new Error('tasks have not reached the upstream')
      await sleep(5)
    }
    return { ...result, handedOverPerSecond: result.responses / ((performance.now() - startedAt) / 1000) }
  })
  return { ...done, cpuMicrosPerTask: ((figures.mainCpuMs + figures.otherCpuMs) / done.responses) * 1000 }
}

function round2(figure: number): number {
  return Math.round(figure * 100) / 100
}
