import { randomBytes } from 'node:crypto'
import { taskIdPattern } from '@framegate/contract'
import type { Clock } from '../lib/clock.ts'

/**
 * A task id is `task_` and a UUIDv7 without dashes (RFC 9562, section 5.7), with a counter in the
 * field rand_a.
 *
 *   task_ mmmmmmmmmmmm 7ccc vrrrrrrrrrrrrrrr   12 hex digits of Unix milliseconds, version, 12-bit
 *                                              counter, variant and 62 random bits (the tail)
 *
 * The milliseconds and the counter together are the number of the task, `no`, which is a safe
 * integer until the year 2089. The number is the primary key and sorts tasks by time. It is
 * computed from the id, so the id needs no index.
 */
const epochMs = Date.UTC(2020, 0, 1)
export const countersPerMs = 4096
const tailDigits = 16
const randomPoolBytes = 8192
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
  return `task_${hexOf(ms, 12)}7${hexOf(counter, 3)}${tail}`
}

/** Returns the time at which the task was accepted, in Unix milliseconds, from its id. */
export function createdAtMsOf(id: string): number {
  return Number.parseInt(id.slice(5, 17), 16)
}

export function createdAtMsOfNo(no: number): number {
  return Math.floor(no / countersPerMs) + epochMs
}

/** Returns the smallest `no` that a task accepted at `ms` can have. */
export function firstTaskNoAt(ms: number): number {
  return (ms - epochMs) * countersPerMs
}

/** Maximum number of processes that create ids at the same time, each in its own slot. */
export const slotsMax = 64

/**
 * Returns a function that creates unique ids. The ids increase strictly, even if the clock is set
 * back, except when `clockRecovery` lets them return to the present. If more than 4,096 ids are
 * created in a millisecond, the others get the time of the next millisecond. `afterNo` is the
 * highest number in use, so that ids are unique across restarts.
 */
export function createTaskIds(clock: Clock, afterNo = 0, clockRecovery?: ClockRecovery): () => string {
  return createIds('task_', clock, { afterNo, ...(clockRecovery && { clockRecovery }) })
}

/**
 * Returns a function that creates ids that no process with another slot can create. The last six of
 * the counter's 12 bits are the slot.
 */
export function createTaskIdsInSlot(
  clock: Clock,
  afterNo: number,
  slot: () => number,
  clockRecovery: ClockRecovery,
): () => string {
  const highestNoOfMs = afterNo - (afterNo % countersPerMs) + countersPerMs - 1
  return createIds('task_', clock, { afterNo: highestNoOfMs, firstCounter: slot, step: slotsMax, clockRecovery })
}

/**
 * Lets ids return to the present after the clock was ahead and was set back. Otherwise new ids
 * continue to have times in the future.
 */
export interface ClockRecovery {
  /**
   * Returns the time of the first id in use at or after the given time. Returns null if there is
   * none, and undefined while this is unknown.
   */
  findNextMs: (ms: number) => number | null | undefined
  /** Called when ids have returned to the present. New ids have this time or a later one. */
  onReturned?: (ms: number) => void
}

export interface IdOptions {
  afterNo?: number
  firstCounter?: () => number
  step?: number
  /** If absent, ids never return to the present after the clock was ahead. */
  clockRecovery?: ClockRecovery
}

/**
 * Ids return to the present only if the clock is at least this far behind the last id, and no id in
 * use has a time within the next period of this length.
 */
const backMsMin = 60_000
/** Minimum time between two attempts to return. */
const returnIntervalMs = 1_000

/**
 * Returns a function that creates ids of tasks, assets or uploads, which differ in their prefix.
 */
export function createIds(kind: 'task_' | 'asset_' | 'upload_', clock: Clock, options: IdOptions = {}): () => string {
  const { afterNo = 0, firstCounter = () => 0, step = 1, clockRecovery } = options
  let lastMs = Math.floor(afterNo / countersPerMs) + epochMs
  // The current section of ids has no gap of a minute or more. `sectionStartMs` is its start, and
  // `beforeSectionMs` the time of the last id before it.
  let [sectionStartMs, beforeSectionMs] = [lastMs, 0]
  // The ids from `ceilingMs` to `highestMs` were created while the clock was ahead.
  let [ceilingMs, highestMs] = [Infinity, lastMs]
  let returnTriedAtMs = -Infinity
  let counter = afterNo % countersPerMs
  let prefix = `${kind}${hexOf(lastMs, 12)}7`
  let random = ''
  let usedCharacters = 0

  function begin(ms: number): void {
    if (ms - lastMs >= backMsMin) [sectionStartMs, beforeSectionMs] = [ms, lastMs]
    lastMs = ms
    if (lastMs >= ceilingMs) {
      lastMs = Math.max(ms, highestMs + 1)
      ceilingMs = Infinity
    }
    highestMs = Math.max(highestMs, lastMs)
    counter = firstCounter()
    prefix = `${kind}${hexOf(lastMs, 12)}7`
  }

  /**
   * Returns to the present time after the clock was ahead. Returns false if ids in use have times
   * close to the present, or if this is unknown.
   */
  function tryReturn(nowMs: number): boolean {
    if (clockRecovery === undefined || (nowMs >= returnTriedAtMs && nowMs - returnTriedAtMs < returnIntervalMs)) return false
    const nextMs = clockRecovery.findNextMs(nowMs)
    if (nextMs === undefined) return false
    returnTriedAtMs = nowMs
    const firstFreeMs = Math.max(nowMs, beforeSectionMs + 1)
    const nextUsedMs = Math.min(nextMs ?? Infinity, sectionStartMs > nowMs ? sectionStartMs : Infinity)
    if (nextUsedMs - firstFreeMs < backMsMin) return false
    lastMs = firstFreeMs - 1
    begin(firstFreeMs)
    ;[sectionStartMs, ceilingMs] = [firstFreeMs, nextUsedMs]
    clockRecovery.onReturned?.(firstFreeMs)
    return true
  }

  return () => {
    const nowMs = clock()
    if (nowMs > lastMs) {
      begin(nowMs)
    } else if (lastMs - nowMs < backMsMin || !tryReturn(nowMs)) {
      counter += step
      if (counter >= countersPerMs) begin(lastMs + 1)
    }
    if (usedCharacters === random.length) {
      random = randomBytes(randomPoolBytes).toString('hex')
      usedCharacters = 0
    }
    const tail = variantDigit(random.charAt(usedCharacters)) + random.slice(usedCharacters + 1, usedCharacters + tailDigits)
    usedCharacters += tailDigits
    return prefix + hexOf(counter, 3) + tail
  }
}

/**
 * Returns the hexadecimal digit of the two variant bits, 10, and two random bits. It is 8, 9, a or
 * b.
 */
function variantDigit(randomDigit: string): string {
  return '89ab'.charAt(Number.parseInt(randomDigit, 16) & 3)
}

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
