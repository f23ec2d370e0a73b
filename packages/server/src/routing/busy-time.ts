const pauseMsMin = 5_000
const pauseMsMax = 60_000

/** How long something has had no room: since it said so itself, or since all of its places are taken. */
export class BusyTime {
  #sinceMs: number | null = null
  #untilMs = 0
  #pauseMs = pauseMsMin

  /** It asked to be left alone for so long; null: it did not say for how long. */
  refuse(nowMs: number, retryAfterMs: number | null): void {
    this.#sinceMs ??= nowMs
    this.#untilMs = Math.max(this.#untilMs, nowMs + (retryAfterMs ?? this.#pauseMs))
    if (retryAfterMs === null) this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2)
  }

  fill(nowMs: number): void {
    this.#sinceMs ??= nowMs
  }

  /** It has taken something on, or a place has become free. */
  accept(): void {
    this.#sinceMs = null
    this.#untilMs = 0
    this.#pauseMs = pauseMsMin
  }

  /** Until when it asked to be left alone; 0: it did not, or that is over. */
  get untilMs(): number {
    return this.#untilMs
  }

  isPaused(nowMs: number): boolean {
    return nowMs < this.#untilMs
  }

  lastsMs(nowMs: number): number {
    return this.#sinceMs === null ? 0 : nowMs - this.#sinceMs
  }
}
