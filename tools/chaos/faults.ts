import { setTimeout as sleep } from 'node:timers/promises'
import type { CuttableProxy } from '../../packages/server/test/cuttable-proxy.ts'
import type { Installation } from './installation.ts'
import { unreachable } from '../../packages/server/src/lib/unreachable.ts'
import type { Random } from './random.ts'
import { trialRoutes } from './routing.ts'

/** Relative frequency of each fault. */
const weights = {
  kill: 20,
  pause: 6,
  terminate: 6,
  'rolling restart': 2,
  'database crash': 6,
  'bucket stop': 8,
  'database cut': 14,
  'bucket cut': 10,
  'upstream cut': 12,
  'database stall': 4,
  'bucket stall': 4,
  'upstream stall': 4,
  'upstream refusal': 8,
  'missing model': 8,
  'disk full': 8,
}
export type FaultKind = keyof typeof weights

/**
 * Duration of a process pause. It exceeds a lease, so other processes take over the claimed tasks.
 */
const pauseMs: readonly [number, number] = [33_000, 40_000]
const downMs: readonly [number, number] = [200, 4_000]
const stallMs: readonly [number, number] = [1_000, 9_000]
const refusalMs: readonly [number, number] = [1_000, 5_000]
const missingMs: readonly [number, number] = [2_000, 8_000]
const fullMs: readonly [number, number] = [2_000, 8_000]
const startMsMax = 120_000

export interface FaultPlan {
  kind: FaultKind
  /**
   * Random number that selects the affected process, disk, upstream or route, modulo their number.
   * Faults that affect all of them, the database or the bucket ignore it.
   */
  target: number
  durationMs: number
  /** Pause before this fault, after the previous one was started. */
  afterMs: number
}

export interface FaultOptions {
  count: number
  /** Average interval between two faults. */
  everyMs: number
  /**
   * Whether to omit the slow kinds of faults: process pauses, which are longer than a lease, and
   * rolling restarts.
   */
  isShort: boolean
}

/** Generates the schedule of faults. The same seed gives the same schedule. */
export function planFaults({ count, everyMs, isShort }: FaultOptions, random: Random): FaultPlan[] {
  const chosenWeights = isShort ? { ...weights, pause: 0, 'rolling restart': 0 } : weights
  // The schedule begins with one fault of each kind, in random order, so that a short run covers
  // all kinds. The kinds of the other faults are chosen at random by weight.
  const kinds = Object.entries(chosenWeights).flatMap(([kind, weight]) => (weight > 0 ? [kind as FaultKind] : []))
  return Array.from({ length: count }, () => {
    const kind =
      kinds.length > 0 ? (kinds.splice(random.integerBelow(kinds.length), 1)[0] ?? 'kill') : random.pickWeighted(chosenWeights)
    return {
      kind,
      target: random.integerBelow(1 << 16),
      durationMs: randomDuration(kind, random),
      afterMs: random.between(0, 2 * everyMs),
    }
  })
}

function randomDuration(kind: FaultKind, random: Random): number {
  if (kind === 'pause') return random.between(...pauseMs)
  if (kind.endsWith('stall')) return random.between(...stallMs)
  if (kind === 'upstream refusal') return random.between(...refusalMs)
  if (kind === 'missing model') return random.between(...missingMs)
  return kind === 'disk full' ? random.between(...fullMs) : random.between(...downMs)
}

/** Period in which a fault was in effect. */
export interface FaultPeriod {
  kind: FaultKind
  fromMs: number
  untilMs: number
}

export function isOverlapped(fault: FaultPeriod, fromMs: number, untilMs: number): boolean {
  return fault.fromMs <= untilMs && fault.untilMs >= fromMs
}

export interface Faults {
  /** Period of each injected fault. The end is Infinity while the fault is in effect. */
  periods: FaultPeriod[]
  /** Number of injected faults by kind. */
  countByKind: Partial<Record<FaultKind, number>>
  /** Errors of the fault injection itself, and unexpected exit codes of processes. */
  errors: string[]
  /** The exit code of each process that was stopped by SIGTERM. */
  stopExitCodes: (number | null)[]
  finished: Promise<void>
  /** Stops injecting faults. Current ones run to their end. */
  stop(): void
}

/**
 * Injects the faults in order. A fault waits for an earlier one if both affect the same target,
 * such as a process or the database.
 */
export function injectFaults(installation: Installation, plan: readonly FaultPlan[], report: (message: string) => void): Faults {
  const countByKind: Faults['countByKind'] = {}
  const periods: FaultPeriod[] = []
  const errors: string[] = []
  const stopExitCodes: (number | null)[] = []
  const lastFaultByTarget = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  /** Runs a fault after earlier faults of the same target. */
  function runAfterPrevious(targetName: string, injectFault: () => Promise<void>): Promise<void> {
    const injected = (lastFaultByTarget.get(targetName) ?? Promise.resolve()).then(injectFault).catch((error: unknown) => {
      errors.push(error instanceof Error ? error.message : String(error))
    })
    lastFaultByTarget.set(targetName, injected)
    return injected
  }

  async function run(): Promise<void> {
    const pendingFaults: Promise<void>[] = []
    for (const fault of plan) {
      await sleep(fault.afterMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      report(fault.kind)
      countByKind[fault.kind] = (countByKind[fault.kind] ?? 0) + 1
      const faultEnd = startFault(fault)
      pendingFaults.push(faultEnd)
      // Limits the number of faults that wait for the same process.
      if (affectsProcess(fault.kind)) await Promise.race([faultEnd, sleep(2_000)])
    }
    await Promise.all(pendingFaults)
  }

  function startFault({ kind, target, durationMs }: FaultPlan): Promise<void> {
    const { processes, disks, postgres, s3, proxies, upstreams } = installation
    const index = target % processes.length
    const process = processes[index]
    const disk = disks[index]
    if (process === undefined || disk === undefined) return Promise.resolve()
    const name = `process ${index}`
    const openPeriod = (): FaultPeriod => {
      const period = { kind, fromMs: Date.now(), untilMs: Infinity }
      periods.push(period)
      return period
    }
    /** Starts a fault, and ends it after the planned time. */
    const runForDuration = async (start: () => unknown, end: () => unknown): Promise<void> => {
      const period = openPeriod()
      await start()
      await sleep(durationMs)
      await end()
      period.untilMs = Date.now()
    }
    const start = async (): Promise<void> => process.start(Date.now() + startMsMax)
    const terminate = async (processIndex: number): Promise<void> => {
      const targetProcess = processes[processIndex]
      const period = openPeriod()
      const code = (await targetProcess?.terminate()) ?? null
      stopExitCodes.push(code)
      // Exit code 1 means that the process did not stop in time. Other processes continue its work.
      if (code !== 0 && code !== 1)
        errors.push(`SIGTERM to process ${processIndex} ended with ${code ?? 'SIGKILL after a minute'}`)
      await targetProcess?.start(Date.now() + startMsMax)
      period.untilMs = Date.now()
    }
    switch (kind) {
      case 'kill':
        return runAfterPrevious(name, () => runForDuration(() => process.kill(), start))
      case 'pause':
        return runAfterPrevious(name, () =>
          runForDuration(
            () => process.signal('SIGSTOP'),
            () => process.signal('SIGCONT'),
          ),
        )
      case 'terminate':
        return runAfterPrevious(name, () => terminate(index))
      case 'rolling restart':
        return processes.reduce(
          (previousRestarts, _process, index) =>
            previousRestarts.then(() => runAfterPrevious(`process ${index}`, () => terminate(index))),
          Promise.resolve(),
        )
      case 'database crash':
        return runAfterPrevious('database', () =>
          runForDuration(
            () => postgres.crash(),
            () => postgres.start(),
          ),
        )
      case 'bucket stop':
        return runAfterPrevious('bucket', () =>
          runForDuration(
            () => s3.kill(),
            () => s3.start(),
          ),
        )
      case 'database cut':
      case 'bucket cut':
      case 'upstream cut': {
        const period = openPeriod()
        for (const proxy of proxiesOf(kind, proxies)) proxy.cut()
        period.untilMs = Date.now()
        return Promise.resolve()
      }
      case 'database stall':
      case 'bucket stall':
      case 'upstream stall':
        return runAfterPrevious(kind, () =>
          runForDuration(
            () => proxiesOf(kind, proxies).forEach((proxy) => proxy.stall()),
            () => proxiesOf(kind, proxies).forEach((proxy) => proxy.resume()),
          ),
        )
      case 'upstream refusal': {
        const upstreamIndex = target % proxies.upstreams.length
        return runAfterPrevious(`upstream ${upstreamIndex}`, () =>
          runForDuration(
            () => proxies.upstreams[upstreamIndex]?.refuse(),
            () => proxies.upstreams[upstreamIndex]?.admit(),
          ),
        )
      }
      case 'missing model': {
        const route = trialRoutes[target % trialRoutes.length]
        const upstream = upstreams.find((candidate) => candidate.name === route?.upstream)
        if (route === undefined || upstream === undefined) return Promise.resolve()
        return runAfterPrevious(`model ${route.name}`, () =>
          runForDuration(
            () => upstream.removeModel(route.upstreamModel),
            () => upstream.restoreModel(route.upstreamModel),
          ),
        )
      }
      case 'disk full':
        return runAfterPrevious(`disk ${index}`, () =>
          runForDuration(
            () => disk.fill(),
            () => disk.free(),
          ),
        )
      default:
        return unreachable(kind)
    }
  }

  return { countByKind, periods, errors, stopExitCodes, finished: run(), stop: () => stopping.abort() }
}

function affectsProcess(kind: FaultKind): boolean {
  return kind === 'kill' || kind === 'terminate'
}

function proxiesOf(kind: FaultKind, proxies: Installation['proxies']): CuttableProxy[] {
  if (kind.startsWith('database')) return proxies.database
  return kind.startsWith('bucket') ? proxies.bucket : proxies.upstreams
}
