import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './statistics.ts'

const sampleMs = 150
const idleShareMax = 0.1

/**
 * Measures the load of other processes between the rounds, while the benchmark is idle. Before each
 * round, waits until their load is low, for a limited time. A busy machine slows down the service
 * more than the baseline, because the service needs two threads and the baseline one.
 */
export class OtherLoad {
  readonly #idleTimeoutMs: number
  readonly #shares: number[] = []

  constructor(idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs
  }

  /** Share of CPU time used by other processes, as the median over all rounds. */
  get share(): number | null {
    return this.#shares.length === 0 ? null : median(this.#shares)
  }

  async waitForIdle(): Promise<void> {
    const endsAt = performance.now() + this.#idleTimeoutMs
    let share = await busyShare()
    while (share > idleShareMax && performance.now() < endsAt) share = await busyShare()
    this.#shares.push(share)
  }
}

async function busyShare(): Promise<number> {
  const timesBefore = cpuTimes()
  await sleep(sampleMs)
  const timesAfter = cpuTimes()
  return 1 - (timesAfter.idle - timesBefore.idle) / (timesAfter.all - timesBefore.all)
}

function cpuTimes(): { idle: number; all: number } {
  const times = cpus().map((processor) => processor.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle) }
}
