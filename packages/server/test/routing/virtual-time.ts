import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { setImmediate as Immediate, setTimeout as Sleep } from 'node:timers/promises'

/** The module object that `import 'node:timers/promises'` reads from. */
const timersPromises = createRequire(import.meta.url)('node:timers/promises') as {
  setTimeout: typeof Sleep
  setImmediate: typeof Immediate
}
const { setImmediate } = globalThis

/**
 * Waits for one real tick of the event loop. Replies of worker threads and group commits need
 * ticks to arrive.
 */
export function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Returns a generator of numbers in [0, 1). The same seed gives the same sequence (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const currentProcess = new AsyncLocalStorage<VirtualProcess>()

/**
 * A simulated process of a test case. All processes share this thread. A timer belongs to the
 * process whose code sets it, and ends with that process.
 */
export class VirtualProcess {
  #hasExited = false

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** Runs code in the context of this process. */
  run<Value>(code: () => Value): Value {
    return currentProcess.run(this, code)
  }

  /** Ends the process: stops its timers and prevents new ones. */
  end(): void {
    this.#hasExited = true
  }
}

class VirtualTimer {
  readonly run: () => void
  readonly everyMs: number | null
  readonly process = currentProcess.getStore()
  dueAtMs: number

  constructor(run: () => void, dueAtMs: number, everyMs: number | null) {
    this.run = run
    this.dueAtMs = dueAtMs
    this.everyMs = everyMs
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/**
 * Virtual time, which only a test advances. While it is installed, timers, `Date.now` and
 * `performance.now` follow it, and `Math.random` uses its seed. `setImmediate`, microtasks and I/O
 * stay real, and calls of `setImmediate` are counted. Unlike vitest's fake timers, it includes
 * `node:timers/promises`, and the caller can wait for all effects of a timer before the next one
 * runs.
 */
export class VirtualTime {
  nowMs: number
  /** Returns a number in [0, 1). The same seed gives the same sequence. */
  readonly random: () => number
  #timers = new Set<VirtualTimer>()
  /** Number of calls of `setImmediate` whose callback has not run. */
  #immediates = 0
  readonly clock = (): number => this.nowMs

  constructor(startMs: number, seed: number) {
    this.nowMs = startMs
    this.random = createRandom(seed)
  }

  /** Installs this time. Returns a function that restores the real time. */
  install(): () => void {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
    const { now: dateNow } = Date
    const { random } = Math
    const performanceNow = performance.now.bind(performance)
    const { setTimeout: sleep, setImmediate: immediate } = timersPromises
    const startMs = this.nowMs
    const set =
      (isRepeating: boolean) =>
      (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
        this.#add(() => run(...values), Math.max(1, ms ?? 1), isRepeating)
    const clearTimer = (timer: unknown): void => void this.#timers.delete(timer as VirtualTimer)
    Object.assign(globalThis, {
      setTimeout: set(false),
      setInterval: set(true),
      clearTimeout: clearTimer,
      clearInterval: clearTimer,
      setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => {
        this.#immediates += 1
        return setImmediate(() => {
          this.#immediates -= 1
          run(...values)
        })
      },
    })
    Date.now = this.clock
    performance.now = () => this.nowMs - startMs
    Math.random = () => this.random()
    timersPromises.setTimeout = ((ms: number, value: unknown, options?: { signal?: AbortSignal }) =>
      this.sleep(ms, options?.signal).then(() => value)) as typeof Sleep
    timersPromises.setImmediate = ((value: unknown) =>
      new Promise<unknown>((resolve) => void globalThis.setImmediate(resolve, value))) as typeof Immediate
    syncBuiltinESMExports()
    return () => {
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate })
      Date.now = dateNow
      performance.now = performanceNow
      Math.random = random
      timersPromises.setTimeout = sleep
      timersPromises.setImmediate = immediate
      syncBuiltinESMExports()
    }
  }

  /** Whether no callback of `setImmediate` is pending. */
  get isIdle(): boolean {
    return this.#immediates === 0
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#timers.delete(timer)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const timer = this.#add(
        () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        ms,
        false,
      )
      if (signal?.aborted === true) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Advances the time. After the timers of each instant have run, waits for `settle`. */
  async advance(ms: number, settle: () => Promise<void>): Promise<void> {
    const untilMs = this.nowMs + ms
    for (let dueMs = this.#nextDueMs(); dueMs <= untilMs; dueMs = this.#nextDueMs()) {
      this.nowMs = Math.max(this.nowMs, dueMs)
      this.runDue()
      await settle()
    }
    this.nowMs = untilMs
  }

  /** Runs the timers that are due now, without waiting for their effects. */
  runDue(): void {
    const dueTimers = [...this.#timers].filter(({ dueAtMs }) => dueAtMs <= this.nowMs).sort((a, b) => a.dueAtMs - b.dueAtMs)
    for (const timer of dueTimers) {
      if (!this.#timers.has(timer)) continue
      if (timer.everyMs === null) this.#timers.delete(timer)
      else timer.dueAtMs = this.nowMs + timer.everyMs
      timer.run()
    }
  }

  /** Drops the timers of ended processes. */
  clearTimersOfExited(): void {
    for (const timer of this.#timers) if (timer.process?.hasExited === true) this.#timers.delete(timer)
  }

  clear(): void {
    this.#timers.clear()
  }

  #nextDueMs(): number {
    let nextMs = Infinity
    for (const { dueAtMs } of this.#timers) if (dueAtMs < nextMs) nextMs = dueAtMs
    return nextMs
  }

  #add(run: () => void, ms: number, isRepeating: boolean): VirtualTimer {
    const timer = new VirtualTimer(run, this.nowMs + Math.max(0, Math.ceil(ms)), isRepeating ? Math.max(1, ms) : null)
    if (timer.process?.hasExited !== true) this.#timers.add(timer)
    return timer
  }
}
