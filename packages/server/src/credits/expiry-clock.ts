import type { Clock } from '../lib/clock.ts'
import { dayMs } from '../lib/dates.ts'
import type { Logger } from '../lib/logger.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

export interface ExpiryClockDependencies {
  clock: Clock
  /** A monotonic clock in milliseconds, which changes of the system clock do not affect. */
  monotonicMs?: () => number
  /** Time of the newest stored record. Null: there are no records. */
  newestRecordMs: number | null
  logger: Pick<Logger, 'warn' | 'info'>
}

/**
 * Smallest change of the system clock that counts as a jump. Corrections by time servers are
 * smaller.
 */
const jumpMsMin = 60_000
/**
 * Maximum time until a system clock that has jumped ahead is trusted again. After a jump shorter
 * than this, the clock is trusted once the length of the jump has elapsed.
 */
const frozenMsMax = dayMs
/**
 * Time until the system clock is trusted if, at start-up, it is more than a day ahead of the newest
 * record.
 */
const frozenAtStartMs = 60 * 60 * 1000
const pollIntervalMs = 1_000

/**
 * The clock for expiry and final removal, protected against jumps of the system clock. It follows
 * the system clock until that clock jumps ahead, for example after a suspension of the machine.
 * Then it continues from the time before the jump, until the system clock is correct again, or has
 * stayed ahead long enough to be trusted (`frozenMsMax`). When in doubt, this clock is late,
 * because a result that is removed too early is lost.
 */
export class ExpiryClock implements Disposable {
  readonly #clock: Clock
  readonly #monotonicMs: () => number
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #timer: Disposable
  /** Difference between the system clock and the monotonic clock at the last check. */
  #offsetMs: number
  /**
   * `offsetMs` replaces `#offsetMs` until the monotonic time `untilMs`. Null: the clock is not
   * frozen.
   */
  #frozen: { offsetMs: number; untilMs: number } | null = null
  #jumpCount = 0

  constructor({ clock, monotonicMs = () => performance.now(), newestRecordMs, logger }: ExpiryClockDependencies) {
    this.#clock = clock
    this.#monotonicMs = monotonicMs
    this.#logger = logger
    this.#offsetMs = clock() - monotonicMs()
    if (newestRecordMs !== null) this.#compareWithRecord(newestRecordMs)
    this.#timer = repeatAligned(() => this.#check(), pollIntervalMs)
  }

  /** The current time for expiry, in Unix milliseconds. */
  readonly now: Clock = () => {
    this.#check()
    const nowMs = this.#clock()
    return this.#frozen === null ? nowMs : Math.min(nowMs, Math.floor(this.#monotonicMs() + this.#frozen.offsetMs))
  }

  /**
   * Whether this clock currently ignores the system clock, because the system clock has jumped
   * ahead.
   */
  get isFrozen(): boolean {
    return this.#frozen !== null
  }

  /**
   * Number of jumps of the system clock by a minute or more, in either direction. If the newest
   * record at start-up has a time in the future, this counts as a jump.
   */
  get jumpCount(): number {
    return this.#jumpCount
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
  }

  #compareWithRecord(newestRecordMs: number): void {
    const aheadMs = this.#clock() - newestRecordMs
    if (aheadMs < -jumpMsMin) {
      this.#jumpCount += 1
      this.#logger.warn(
        { behindSeconds: toSeconds(-aheadMs) },
        'the newest task has a time in the future: the clock of this machine was ahead, or is behind now',
      )
    } else if (aheadMs > dayMs) {
      this.#freezeAt(newestRecordMs - this.#monotonicMs(), frozenAtStartMs)
      this.#logger.info(
        { seconds: toSeconds(aheadMs), frozenSeconds: toSeconds(frozenAtStartMs) },
        'the newest task is older than a day: expiry uses the time of that task for a while, in case the clock is ahead',
      )
    }
  }

  #check(): void {
    const monotonicMs = this.#monotonicMs()
    const offsetMs = this.#clock() - monotonicMs
    const jumpMs = offsetMs - this.#offsetMs
    this.#offsetMs = offsetMs
    const frozen = this.#frozen
    if (Math.abs(jumpMs) >= jumpMsMin) this.#jumpCount += 1
    if (frozen !== null && offsetMs - frozen.offsetMs < jumpMsMin) {
      this.#release('the clock is correct again: expiry uses it again')
    } else if (jumpMs >= jumpMsMin) {
      const frozenMs = Math.min(jumpMs, frozenMsMax)
      this.#freezeAt(frozen?.offsetMs ?? offsetMs - jumpMs, frozenMs)
      this.#logger.warn(
        { aheadSeconds: toSeconds(jumpMs), frozenSeconds: toSeconds(frozenMs) },
        'the clock has jumped ahead: expiry uses the elapsed time until the clock is correct again or has stayed ahead for long',
      )
    } else if (frozen !== null && monotonicMs >= frozen.untilMs) {
      this.#release('the clock has stayed ahead: expiry uses it again')
    } else if (jumpMs <= -jumpMsMin) {
      this.#logger.warn({ backSeconds: toSeconds(-jumpMs) }, 'the clock was set back')
    }
  }

  #freezeAt(offsetMs: number, durationMs: number): void {
    this.#frozen = { offsetMs, untilMs: Math.max(this.#frozen?.untilMs ?? 0, this.#monotonicMs() + durationMs) }
  }

  #release(message: string): void {
    this.#frozen = null
    this.#logger.warn(message)
  }
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000)
}
