import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadResult } from '../../http/load-plan.ts'
import type { BenchProcess } from '../../http/bench-process.ts'
import { cpuMsOfTree } from '../../http/process-tree.ts'
import { submitTexts } from '../request-texts.ts'
import type { Gateway, Side, Submit } from '../side.ts'
import type { RowPlan } from './row.ts'

export const connections = 64
const checkIntervalMs = 5
/** Time in ms without progress after which the tasks count as stuck. */
const stuckMsMax = 60_000

/** A gateway with its upstream, for one measurement. */
export interface Trial {
  side: Side
  gateway: Gateway
  upstream: BenchProcess
}

/**
 * Starts a gateway with an upstream whose video jobs never end. `jobsEnd` is passed to the
 * installation of the gateway.
 */
export async function startTrial(
  side: Side,
  { rig }: RowPlan,
  resources: AsyncDisposableStack,
  { jobsEnd = false } = {},
): Promise<Trial> {
  const upstream = resources.use(await rig.startUpstream())
  const installation = await side.install({ rig, trial: resources, upstreamPort: upstream.port, jobsEnd })
  return { side, upstream, gateway: resources.use(await installation.start()) }
}

export interface Load {
  submit: Submit
  /** Number of tasks. Default: no limit until `secondsMax`. */
  tasks?: number
  secondsMax: number
  perSecond?: number
}

/** Result of a load of submits. */
export interface Loaded extends LoadResult {
  /** Time from the first submit until all tasks were done. */
  doneSeconds: number
  cpuMsPerTask: number
  /** Null if the gateway has no separate database process. */
  databaseCpuMsPerTask: number | null
}

/** Sends submits, and waits until the count of done tasks has grown by their number. */
export async function loadUntil(trial: Trial, { rig }: RowPlan, load: Load, countDone: () => Promise<number>): Promise<Loaded> {
  const { side, gateway } = trial
  const [doneBefore, cpuBefore] = [await countDone(), cpuMsOf(gateway)]
  const startedAt = performance.now()
  const { submit, tasks, secondsMax, perSecond } = load
  const requests = submitTexts(submit, gateway)
  const rate = { seconds: secondsMax, requestsMax: tasks, ...(perSecond !== undefined && { perSecond }) }
  const result = await rig.load({ port: gateway.port, requests, connections, ...rate })
  if (result.failed > 0) throw new Error(`${side.name}: ${result.failed} of ${result.responses} submits failed`)
  await waitForCount(side, countDone, doneBefore + result.responses)
  const doneSeconds = (performance.now() - startedAt) / 1000
  const cpuAfter = cpuMsOf(gateway)
  return {
    ...result,
    doneSeconds,
    cpuMsPerTask: (cpuAfter.service - cpuBefore.service) / result.responses,
    databaseCpuMsPerTask: gateway.databasePid === undefined ? null : (cpuAfter.database - cpuBefore.database) / result.responses,
  }
}

/** Sends submits of videos, and waits until the upstream has received all of them. */
export function submitVideos(trial: Trial, plan: RowPlan, load: Omit<Load, 'submit'>): Promise<Loaded> {
  return loadUntil(trial, plan, { ...load, submit: trial.side.video }, () => trial.upstream.call<number>('submits'))
}

async function waitForCount({ name }: Side, countDone: () => Promise<number>, target: number): Promise<void> {
  let doneCount = await countDone()
  for (let progressAt = performance.now(); doneCount < target;) {
    if (performance.now() - progressAt > stuckMsMax) throw new Error(`${name}: ${target - doneCount} tasks are stuck`)
    await sleep(checkIntervalMs)
    const nextCount = await countDone()
    if (nextCount > doneCount) progressAt = performance.now()
    doneCount = nextCount
  }
}

function cpuMsOf({ pid, databasePid }: Gateway) {
  return { service: cpuMsOfTree(pid), database: databasePid === undefined ? 0 : cpuMsOfTree(databasePid) }
}
