import { randomBytes } from 'node:crypto'
import { taskIdPattern } from '@framegate/contract'
import type { Clock } from '../lib/clock.ts'

/**
 * Task ids: `task_` and a UUIDv7 without dashes (RFC 9562, section 5.7), with a counter in rand_a.
 *
 *   task_ mmmmmmmmmmmm 7ccc vrrrrrrrrrrrrrrr   12 hex digits of Unix milliseconds, version, 12-bit
 *                                              counter, variant and 62 random bits (the tail)
 *
 * Milliseconds and counter also form one safe integer, the task's `no`: a time-ordered primary key
 * that the database computes from the id, so that no index on the id is needed. It stays below 2^53
 * until the year 2089.
 */
const epochMs = Date.UTC(2020, 0, 1)
const countersPerMs = 4096
const tailDigits = 16
const randomBytesAtOnce = 8192
const idPattern = new RegExp(taskIdPattern)

export function isTaskId(text: string): boolean {
  return idPattern.test(text)
}

export function taskNoOf(id: string): number {
  return (Number.parseInt(id.slice(5, 17), 16) - epochMs) * countersPerMs + Number.parseInt(id.slice(18, 21), 16)
}

export function taskTailOf(id: string): string {
  return id.slice(21)
}

export function taskIdOf(no: number, tail: string): string {
  const counter = no % countersPerMs
  const ms = (no - counter) / countersPerMs + epochMs
  return `task_${hex(ms, 12)}7${hex(counter, 3)}${tail}`
}

/** Time of the task's acceptance in Unix milliseconds, taken from its id. */
export function createdAtMsOf(id: string): number {
  return Number.parseInt(id.slice(5, 17), 16)
}

export function createdAtMsOfNo(no: number): number {
  return Math.floor(no / countersPerMs) + epochMs
}

/** The smallest `no` that a task accepted at `ms` can have. */
export function firstTaskNoAt(ms: number): number {
  return (ms - epochMs) * countersPerMs
}

/** Maximum number of processes that create ids at the same time; each has its own slot. */
export const slotsMax = 64

/**
 * Creates strictly rising ids, even if the clock steps back. If more than 4,096 are created in a
 * millisecond, the others get the time of the next one. `afterNo` is the highest number in use, so
 * that a restart never repeats one.
 */
export function createTaskIds(clock: Clock, afterNo = 0, returning?: Returning): () => string {
  return createIds('task_', clock, { afterNo, ...(returning && { returning }) })
}

/**
 * Creates ids that no process with another slot creates: the last six of the counter's 12 bits are
 * the slot.
 */
export function createTaskIdsInSlot(clock: Clock, afterNo: number, slot: () => number, returning: Returning): () => string {
  const lastOfMs = afterNo - (afterNo % countersPerMs) + countersPerMs - 1
  return createIds('task_', clock, { afterNo: lastOfMs, firstCounter: slot, step: slotsMax, returning })
}

/** How new ids return to the present time after ids were created while the clock was ahead. */
export interface Returning {
  /**
   * Time of the first id in use at or after this time; null if there is none, undefined while it is
   * not known.
   */
  findNextMs: (ms: number) => number | null | undefined
  /** Called when ids have returned: the next ones are of this time and later. */
  onReturned?: (ms: number) => void
}

export interface IdOptions {
  afterNo?: number
  firstCounter?: () => number
  step?: number
  /** Without it, ids never return to the present. */
  returning?: Returning
}

/**
 * Ids return to the present when the clock is at least this far behind the last id, and no id in
 * use has a time from now until this much later.
 */
const backMsMin = 60_000
/** Interval between attempts to return. */
const returnIntervalMs = 1_000

/** Creates ids of tasks, of assets or of uploads, which differ by their prefix. */
export function createIds(kind: 'task_' | 'asset_' | 'upload_', clock: Clock, options: IdOptions = {}): () => string {
  const { afterNo = 0, firstCounter = () => 0, step = 1, returning } = options
  let lastMs = Math.floor(afterNo / countersPerMs) + epochMs
  // The times of ids from `sectionMs` on have no gap of a minute or more. The last id before
  // `sectionMs` has the time `beforeMs`.
  let [sectionMs, beforeMs] = [lastMs, 0]
  // Ids from `ceilingMs` to `highestMs` were created while the clock was ahead.
  let [ceilingMs, highestMs] = [Infinity, lastMs]
  let returnTriedAtMs = -Infinity
  let counter = afterNo % countersPerMs
  let prefix = `${kind}${hex(lastMs, 12)}7`
  let random = ''
  let used = 0

  function begin(ms: number): void {
    if (ms - lastMs >= backMsMin) [sectionMs, beforeMs] = [ms, lastMs]
    lastMs = ms
    if (lastMs >= ceilingMs) {
      lastMs = Math.max(ms, highestMs + 1)
      ceilingMs = Infinity
    }
    highestMs = Math.max(highestMs, lastMs)
    counter = firstCounter()
    prefix = `${kind}${hex(lastMs, 12)}7`
  }

  /**
   * Returns to ids of the present after the clock was ahead. False if ids in use have such times,
   * or if that is unknown.
   */
  function comeBack(now: number): boolean {
    if (returning === undefined || (now >= returnTriedAtMs && now - returnTriedAtMs < returnIntervalMs)) return false
    const nextMs = returning.findNextMs(now)
    if (nextMs === undefined) return false
    returnTriedAtMs = now
    const first = Math.max(now, beforeMs + 1)
    const end = Math.min(nextMs ?? Infinity, sectionMs > now ? sectionMs : Infinity)
    if (end - first < backMsMin) return false
    lastMs = first - 1
    begin(first)
    ;[sectionMs, ceilingMs] = [first, end]
    returning.onReturned?.(first)
    return true
  }

  return () => {
    const now = clock()
    if (now > lastMs) {
      begin(now)
    } else if (lastMs - now < backMsMin || !comeBack(now)) {
      counter += step
      if (counter >= countersPerMs) begin(lastMs + 1)
    }
    if (used === random.length) {
      random = randomBytes(randomBytesAtOnce).toString('hex')
      used = 0
    }
    const tail = variantDigit(random.charAt(used)) + random.slice(used + 1, used + tailDigits)
    used += tailDigits
    return prefix + hex(counter, 3) + tail
  }
}

/** The two bits of the variant, 10, and two random ones: 8 to b. */
function variantDigit(randomDigit: string): string {
  return '89ab'.charAt(Number.parseInt(randomDigit, 16) & 3)
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
