import { repeatAligned } from '../../lib/repeat-aligned.ts'

/** Minimum transfer rate, in either direction. */
export interface TransferPace {
  bytesPerSecondMin: number
  /** Window over which the rate is measured. */
  windowMs: number
}

/** A transfer that is watched until its disposal, or until it is too slow. */
export interface PacedTransfer extends Disposable {
  recordReceived(bytes: number): void
  /** Pauses the measurement while the service requests no further bytes. */
  pause(): void
  resume(): void
}

const checksPerWindow = 5

/** Watches the rate of incoming transfers, with one timer for all of them. */
export class PaceWatch implements Disposable {
  readonly #bytesPerWindowMin: number
  /**
   * The transfers that are not paused. Most are removed soon after they were added, and an
   * array does this several times faster than a set.
   */
  readonly #watched: Transfer[] = []
  readonly #timer: Disposable

  constructor({ bytesPerSecondMin, windowMs }: TransferPace) {
    this.#bytesPerWindowMin = (bytesPerSecondMin * windowMs) / 1000
    this.#timer = repeatAligned(() => this.#check(), windowMs / checksPerWindow)
  }

  /** Calls `onTooSlow` once, at the end of a window in which too few bytes were received. */
  watch(onTooSlow: () => void): PacedTransfer {
    const transfer = new Transfer(this.#watched, onTooSlow)
    transfer.resume()
    return transfer
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
  }

  // Counts timer ticks instead of milliseconds, so that time in which the process is suspended does
  // not count.
  #check(): void {
    for (const transfer of this.#watched.slice()) {
      if (++transfer.windowCheckCount < checksPerWindow) continue
      if (transfer.windowBytes < this.#bytesPerWindowMin) transfer.reportTooSlow()
      transfer.windowCheckCount = 0
      transfer.windowBytes = 0
    }
  }
}

class Transfer implements PacedTransfer {
  /** Number of checks since the start of the window. */
  windowCheckCount = 0
  windowBytes = 0
  readonly #watched: Transfer[]
  readonly #onTooSlow: () => void
  /** Index in `#watched`; -1 while paused. */
  #index = -1

  constructor(watched: Transfer[], onTooSlow: () => void) {
    this.#watched = watched
    this.#onTooSlow = onTooSlow
  }

  recordReceived(bytes: number): void {
    this.windowBytes += bytes
  }

  pause(): void {
    const lastTransfer = this.#watched.at(-1)
    if (this.#index === -1 || lastTransfer === undefined) return
    this.#watched[this.#index] = lastTransfer
    lastTransfer.#index = this.#index
    this.#watched.pop()
    this.#index = -1
  }

  resume(): void {
    if (this.#index === -1) this.#index = this.#watched.push(this) - 1
  }

  reportTooSlow(): void {
    this.pause()
    this.#onTooSlow()
  }

  [Symbol.dispose](): void {
    this.pause()
  }
}
