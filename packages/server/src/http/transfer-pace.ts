/** The slowest that bytes may move, in either direction. */
export interface TransferPace {
  bytesPerSecondMin: number
  /** Over which it is measured. */
  windowMs: number
}

/** One transfer that is watched until it is disposed of. */
export interface PacedTransfer extends Disposable {
  received(bytes: number): void
  /** The next bytes are not asked for just now: time does not count. */
  pause(): void
  resume(): void
}

const looksPerWindow = 5

/** Watches transfers whose other side must send: one timer for all of them. */
export class PaceWatch implements Disposable {
  readonly #bytesPerWindowMin: number
  /** Every request with a body is in it for a moment: a set would take several times as long. */
  readonly #watched: Transfer[] = []
  readonly #timer: NodeJS.Timeout

  constructor({ bytesPerSecondMin, windowMs }: TransferPace) {
    this.#bytesPerWindowMin = (bytesPerSecondMin * windowMs) / 1000
    this.#timer = setInterval(() => this.#look(), windowMs / looksPerWindow)
    this.#timer.unref()
  }

  /** Calls `onTooSlow` once, when a window ends in which too little was received. */
  watch(onTooSlow: () => void): PacedTransfer {
    const transfer = new Transfer(this.#watched, onTooSlow)
    transfer.resume()
    return transfer
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  // Looks are counted instead of milliseconds: a process that stood still has not let anyone send.
  #look(): void {
    for (const transfer of this.#watched.slice()) {
      if (++transfer.looks < looksPerWindow) continue
      if (transfer.bytes < this.#bytesPerWindowMin) transfer.end()
      transfer.looks = 0
      transfer.bytes = 0
    }
  }
}

class Transfer implements PacedTransfer {
  looks = 0
  bytes = 0
  readonly #watched: Transfer[]
  readonly #onTooSlow: () => void
  /** Its index among the watched ones; -1 while it is paused. */
  #index = -1

  constructor(watched: Transfer[], onTooSlow: () => void) {
    this.#watched = watched
    this.#onTooSlow = onTooSlow
  }

  received(bytes: number): void {
    this.bytes += bytes
  }

  pause(): void {
    const last = this.#watched.at(-1)
    if (this.#index === -1 || last === undefined) return
    this.#watched[this.#index] = last
    last.#index = this.#index
    this.#watched.pop()
    this.#index = -1
  }

  resume(): void {
    if (this.#index === -1) this.#index = this.#watched.push(this) - 1
  }

  end(): void {
    this.pause()
    this.#onTooSlow()
  }

  [Symbol.dispose](): void {
    this.pause()
  }
}
