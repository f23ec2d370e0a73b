import { setTimeout as sleep } from 'node:timers/promises'
import type { CuttableWay } from '../../packages/server/test/cuttable-way.ts'
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

/** Longer than a lease. */
const pauseMs: readonly [number, number] = [33_000, 40_000]
const downMs: readonly [number, number] = [200, 4_000]
const stallMs: readonly [number, number] = [1_000, 9_000]
const refusalMs: readonly [number, number] = [1_000, 5_000]
const missingMs: readonly [number, number] = [2_000, 8_000]
const fullMs: readonly [number, number] = [2_000, 8_000]
const startMsMax = 120_000

export interface FaultPlan {
  kind: FaultKind
  /** Index of the affected process, upstream or connection. */
  target: number
  lastsMs: number
  /** Pause after the previous fault. */
  afterMs: number
}

export interface FaultOptions {
  count: number
  /** Average interval. */
  everyMs: number
  /** Leaves out pauses longer than a lease, because they are slow. */
  isShort: boolean
}

/** Plans the faults. The same seed gives the same plan. */
export function planFaults({ count, everyMs, isShort }: FaultOptions, random: Random): FaultPlan[] {
  const chosen = isShort ? { ...weights, pause: 0, 'rolling restart': 0 } : weights
  // Starts with one fault of each kind, so that a short run covers all of them, and continues at
  // random.
  const kinds = Object.entries(chosen).flatMap(([kind, weight]) => (weight > 0 ? [kind as FaultKind] : []))
  return Array.from({ length: count }, () => {
    const kind = kinds.length > 0 ? (kinds.splice(random.below(kinds.length), 1)[0] ?? 'kill') : random.weighed(chosen)
    return { kind, target: random.below(1 << 16), lastsMs: lengthOf(kind, random), afterMs: random.between(0, 2 * everyMs) }
  })
}

function lengthOf(kind: FaultKind, random: Random): number {
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
  /** Every injected fault. One that is still in effect has no end (Infinity). */
  periods: FaultPeriod[]
  /** Number of injected faults by kind. */
  made: Partial<Record<FaultKind, number>>
  /** Failures of the fault injection itself, and unexpected exit codes. */
  wrong: string[]
  /** The exit code of each process that was stopped by SIGTERM. */
  stops: (number | null)[]
  finished: Promise<void>
  /** Injects no further faults and lets those in effect finish. */
  stop(): void
}

/**
 * Injects the faults in order. A fault does not wait for the end of the previous one unless both
 * affect the same thing.
 */
export function makeFaults(installation: Installation, plan: readonly FaultPlan[], report: (words: string) => void): Faults {
  const made: Faults['made'] = {}
  const periods: FaultPeriod[] = []
  const wrong: string[] = []
  const stops: (number | null)[] = []
  const busy = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  /** Runs after the pending faults of the same thing. */
  function oneAtATime(thing: string, act: () => Promise<void>): Promise<void> {
    const previous = (busy.get(thing) ?? Promise.resolve()).then(act).catch((error: unknown) => {
      wrong.push(error instanceof Error ? error.message : String(error))
    })
    busy.set(thing, previous)
    return previous
  }

  async function run(): Promise<void> {
    const under: Promise<void>[] = []
    for (const fault of plan) {
      await sleep(fault.afterMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      report(fault.kind)
      made[fault.kind] = (made[fault.kind] ?? 0) + 1
      const begun = begin(fault)
      under.push(begun)
      // Keeps faults of the same thing from queueing up for long.
      if (isOfProcess(fault.kind)) await Promise.race([begun, sleep(2_000)])
    }
    await Promise.all(under)
  }

  function begin({ kind, target, lastsMs }: FaultPlan): Promise<void> {
    const { processes, disks, postgres, s3, ways, upstreams } = installation
    const index = target % processes.length
    const process = processes[index]
    const disk = disks[index]
    if (process === undefined || disk === undefined) return Promise.resolve()
    const name = `process ${index}`
    const open = (): FaultPeriod => {
      const period = { kind, fromMs: Date.now(), untilMs: Infinity }
      periods.push(period)
      return period
    }
    /** Keeps a fault in effect for some time. */
    const last = async (start: () => unknown, end: () => unknown): Promise<void> => {
      const period = open()
      await start()
      await sleep(lastsMs)
      await end()
      period.untilMs = Date.now()
    }
    const start = async (): Promise<void> => process.start(Date.now() + startMsMax)
    const terminate = async (at: number): Promise<void> => {
      const one = processes[at]
      const period = open()
      const code = (await one?.terminate()) ?? null
      stops.push(code)
      // 1: it did not stop in time, and other processes continue its work.
      if (code !== 0 && code !== 1) wrong.push(`SIGTERM to process ${at} ended with ${code ?? 'SIGKILL after a minute'}`)
      await one?.start(Date.now() + startMsMax)
      period.untilMs = Date.now()
    }
    switch (kind) {
      case 'kill':
        return oneAtATime(name, () => last(() => process.kill(), start))
      case 'pause':
        return oneAtATime(name, () =>
          last(
            () => process.signal('SIGSTOP'),
            () => process.signal('SIGCONT'),
          ),
        )
      case 'terminate':
        return oneAtATime(name, () => terminate(index))
      case 'rolling restart':
        return processes.reduce(
          (before, _process, at) => before.then(() => oneAtATime(`process ${at}`, () => terminate(at))),
          Promise.resolve(),
        )
      case 'database crash':
        return oneAtATime('database', () =>
          last(
            () => postgres.crash(),
            () => postgres.start(),
          ),
        )
      case 'bucket stop':
        return oneAtATime('bucket', () =>
          last(
            () => s3.kill(),
            () => s3.start(),
          ),
        )
      case 'database cut':
      case 'bucket cut':
      case 'upstream cut': {
        const period = open()
        for (const way of waysOf(kind, ways)) way.cut()
        period.untilMs = Date.now()
        return Promise.resolve()
      }
      case 'database stall':
      case 'bucket stall':
      case 'upstream stall':
        return oneAtATime(kind, () =>
          last(
            () => waysOf(kind, ways).forEach((way) => way.stall()),
            () => waysOf(kind, ways).forEach((way) => way.goOn()),
          ),
        )
      case 'upstream refusal': {
        const at = target % ways.upstreams.length
        return oneAtATime(`upstream ${at}`, () =>
          last(
            () => ways.upstreams[at]?.refuse(),
            () => ways.upstreams[at]?.admit(),
          ),
        )
      }
      case 'missing model': {
        const route = trialRoutes[target % trialRoutes.length]
        const upstream = upstreams.find((one) => one.name === route?.upstream)
        if (route === undefined || upstream === undefined) return Promise.resolve()
        return oneAtATime(`model ${route.name}`, () =>
          last(
            () => upstream.missModel(route.upstreamModel),
            () => upstream.findModel(route.upstreamModel),
          ),
        )
      }
      case 'disk full':
        return oneAtATime(`disk ${index}`, () =>
          last(
            () => disk.fill(),
            () => disk.free(),
          ),
        )
      default:
        return unreachable(kind)
    }
  }

  return { made, periods, wrong, stops, finished: run(), stop: () => stopping.abort() }
}

function isOfProcess(kind: FaultKind): boolean {
  return kind === 'kill' || kind === 'terminate'
}

function waysOf(kind: FaultKind, ways: Installation['ways']): CuttableWay[] {
  if (kind.startsWith('database')) return ways.database
  return kind.startsWith('bucket') ? ways.bucket : ways.upstreams
}
