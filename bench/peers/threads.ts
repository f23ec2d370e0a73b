// Measures the CPU time that each thread of the service takes per task, from the submit until the
// task is done: videos until the upstream has received them, images until they are completed.
//   npm run bench:task-threads -- [--tasks 2000] [--per-second 100] [--json]
// docs/performance.md explains the figures.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { machineLine, thisMachine } from '../http/machine.ts'
import { processesOfTree } from '../http/process-tree.ts'
import { cpuByThreadMs } from '../http/thread-cpu.ts'
import { wholeNumber } from './options.ts'
import { findOwnSides } from './own-sides.ts'
import { Rig } from './rig.ts'
import { loadUntil, startTrial, type Load, type Trial } from './rows/trial.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '2000' },
    'per-second': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const tasks = wholeNumber('--tasks', values.tasks)
const rate = values['per-second']
const rateLimit = rate === undefined ? {} : { perSecond: wholeNumber('--per-second', rate) }
const secondsMax = 120
const kinds = ['video', 'image'] as const
/** Minimum CPU time per task of a thread that is shown separately. */
const microsMin = 5

await using rig = new Rig()
process.once('SIGINT', () => void rig[Symbol.asyncDispose]().finally(() => process.exit(130)))
const side = findOwnSides(rig).find(({ name }) => name === 'Framegate on SQLite')
if (side === undefined) throw new Error('the service cannot be measured here')
const machine = thisMachine('plain sockets')
const byKind: Record<string, Record<string, number>> = {}
for (const kind of kinds) {
  const plan = { rig, tasks, secondsMax, kills: 0 }
  await using resources = rig.openTrial()
  const trial = await startTrial(side, plan, resources, { jobsEnd: kind === 'image' })
  const load = (count: number): Load => ({ submit: side[kind], tasks: count, secondsMax, ...rateLimit })
  const run = (count: number) => loadUntil(trial, plan, load(count), () => countDoneTasks(trial, kind))
  await run(Math.ceil(tasks / 4))
  const cpuBefore = cpuByThreadOfTree(trial.gateway.pid)
  const { responses } = await run(tasks)
  const cpuAfter = cpuByThreadOfTree(trial.gateway.pid)
  byKind[kind] = microsPerTask(cpuBefore, cpuAfter, responses)
}
if (values.json) console.log(JSON.stringify({ ...machine, microsPerTask: byKind }, null, 2))
else {
  console.log(machineLine(machine))
  for (const [kind, micros] of Object.entries(byKind)) {
    console.log(`\n${kind}: CPU time per task`)
    console.table(Object.entries(micros).map(([thread, figure]) => ({ thread, µs: Math.round(figure) })))
  }
}

async function countDoneTasks({ gateway, upstream }: Trial, kind: (typeof kinds)[number]): Promise<number> {
  return kind === 'image' ? ((await gateway.completed?.()) ?? 0) : upstream.call<number>('submits')
}

/**
 * Returns the CPU time of all threads in the processes of a tree in milliseconds, by the names of
 * process and thread.
 */
function cpuByThreadOfTree(root: number): Map<string, number> {
  const byName = new Map<string, number>()
  for (const pid of processesOfTree(root)) {
    const program = programOf(pid)
    for (const [thread, ms] of Object.entries(cpuByThreadMs(pid))) {
      const name = `${program}, ${thread}`
      byName.set(name, (byName.get(name) ?? 0) + ms)
    }
  }
  return byName
}

/** Returns the name of the program that a process runs, such as `prober-child`. */
function programOf(pid: number): string {
  try {
    const script = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .find((argument) => /\.[jt]s$/.test(argument))
    return path.parse(script ?? 'other').name
  } catch {
    return 'ended'
  }
}

/**
 * Returns the CPU time per task in microseconds by thread, the busiest thread first. The last
 * entries are the sum of the threads below `microsMin`, and the sum of all threads.
 */
function microsPerTask(cpuBefore: Map<string, number>, cpuAfter: Map<string, number>, taskCount: number): Record<string, number> {
  const micros = [...cpuAfter].map(([name, ms]) => [name, ((ms - (cpuBefore.get(name) ?? 0)) / taskCount) * 1000] as const)
  const shownThreads = micros.filter(([, figure]) => figure >= microsMin).toSorted(([, left], [, right]) => right - left)
  const [sum, sumShown] = [micros, shownThreads].map((figures) => figures.reduce((total, [, figure]) => total + figure, 0))
  return { ...Object.fromEntries(shownThreads), 'all others': Number(sum) - Number(sumShown), all: Number(sum) }
}
