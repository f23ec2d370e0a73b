import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './statistics.ts'

const lookMs = 150
const quietShare = 0.1

/**
 * Measures the load of other processes between the rounds, when the bench is idle. A round waits a
 * while for a quiet moment: the service needs two threads and the baseline one, so a busy machine
 * slows the service more.
 */
export class OtherWork {
  readonly #idleTimeoutMs: number
  readonly #shares: number[] = []

  constructor(idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs
  }

  /** Median share of all processors' time over the rounds. */
  get share(): number | null {
    return this.#shares.length === 0 ? null : median(this.#shares)
  }

  async awaitQuiet(): Promise<void> {
    const endsAt = performance.now() + this.#idleTimeoutMs
    let share = await busyShare()
    while (share > quietShare && performance.now() < endsAt) share = await busyShare()
    this.#shares.push(share)
  }
}

async function busyShare(): Promise<number> {
  const before = processorTimes()
  await sleep(lookMs)
  const after = processorTimes()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((processor) => processor.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle) }
}
