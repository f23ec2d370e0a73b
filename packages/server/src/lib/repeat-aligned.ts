/**
 * Repeats a task at the multiples of an interval on the monotonic clock, until the result is
 * disposed. An idle process therefore wakes up once for all tasks that are due at the same time.
 * This takes less CPU time than a wake-up for each task. Consecutive runs are at least half an
 * interval apart, and so are the call and the first run. The repetition does not keep the process
 * alive.
 */
export function repeatAligned(task: () => void, intervalMs: number): Disposable {
  let timer: NodeJS.Timeout
  function schedule(): void {
    const untilNextMs = intervalMs - (performance.now() % intervalMs)
    // A timer may fire up to a millisecond early, or late. In both cases, the next run must not
    // follow at once.
    const isTooClose = untilNextMs < intervalMs / 2
    timer = setTimeout(run, Math.ceil(isTooClose ? untilNextMs + intervalMs : untilNextMs))
    timer.unref()
  }
  function run(): void {
    schedule()
    task()
  }
  schedule()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
