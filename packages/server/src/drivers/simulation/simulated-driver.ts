import type { SimulatedOutcome, Simulation } from '@framegate/contract'
import type { Clock } from '../../lib/clock.ts'
import type { Driver, GenerationRequest, Operation, OperationChanged, PollOutcome } from '../driver.ts'

/**
 * Minimum interval between progress reports: half of the interval at which the dispatcher stores
 * them.
 */
const reportIntervalMs = 500
/** If the time is before the start of a job by at least this much, the clock was set back. */
const setBackMsMin = 60_000

export interface SimulatedDriverDependencies {
  /**
   * Driver that generates the results of simulated tasks, and runs all other tasks. Its results
   * must cost nothing.
   */
  driver: Driver
  clock: Clock
  onChanged: OperationChanged
}

/**
 * Creates a driver for simulated tasks. The job has the outcome and the duration that the request's
 * `simulate` names, and another driver generates the result. The operation contains the time at
 * which the job ends, so a restart does not change this time.
 *
 *   completed   the job ends when the time is up and the result is complete
 *   stuck       the job never ends by itself; the dispatcher's deadline ends it
 *   a code      the job fails with this failure code when the time is up
 */
export function createSimulatedDriver({ driver, clock, onChanged }: SimulatedDriverDependencies): Driver {
  const timers = new Map<string, NodeJS.Timeout>()

  function clearTimer({ attemptId }: GenerationRequest): void {
    clearTimeout(timers.get(attemptId))
    timers.delete(attemptId)
  }

  function notifyAt(atMs: number, { attemptId }: GenerationRequest): void {
    if (timers.has(attemptId)) return
    const timer = setTimeout(() => {
      timers.delete(attemptId)
      onChanged(attemptId)
    }, atMs - clock())
    timers.set(attemptId, timer)
  }

  async function pollSimulated(
    operation: Operation,
    request: GenerationRequest,
    simulate: Simulation,
    signal: AbortSignal,
  ): Promise<PollOutcome> {
    const { startedAtMs, endsAtMs } = timesOf(operation)
    const outcome = simulate.outcome ?? 'completed'
    const mediaOutcome = outcome === 'completed' ? await driver.poll(operation, request, signal) : null
    if (mediaOutcome?.state === 'failed') return mediaOutcome
    const nowMs = clock()
    // A job that was started while the clock was ahead ends now.
    const isTimeUp = nowMs >= endsAtMs || nowMs < startedAtMs - setBackMsMin
    if (!isTimeUp || outcome === 'stuck') {
      const progress = progressAt(nowMs, startedAtMs, endsAtMs)
      if (!isTimeUp) notifyAt(nextReportAt(nowMs, { startedAtMs, endsAtMs, progress }), request)
      return { state: 'running', progress }
    }
    return mediaOutcome ?? failureOf(outcome)
  }

  const outputFile = driver.outputFile?.bind(driver)
  return {
    name: driver.name,
    isStartIdempotent: driver.isStartIdempotent,
    fetchOutput: (output, signal) => driver.fetchOutput(output, signal),
    ...(outputFile && { outputFile }),
    async start(request, context) {
      const { simulate } = request
      if (simulate === null) return driver.start(request, context)
      const mediaOperation = (simulate.outcome ?? 'completed') === 'completed' ? await driver.start(request, context) : {}
      const startedAtMs = clock()
      return { ...mediaOperation, startedAtMs, endsAtMs: startedAtMs + (simulate.seconds ?? 0) * 1000 }
    },
    async poll(operation, request, signal) {
      return request.simulate === null
        ? driver.poll(operation, request, signal)
        : pollSimulated(operation, request, request.simulate, signal)
    },
    async cancel(operation, request) {
      clearTimer(request)
      await driver.cancel?.(operation, request)
    },
    async discard(operation, request) {
      clearTimer(request)
      await driver.discard?.(operation, request)
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers.values()) clearTimeout(timer)
      await driver[Symbol.asyncDispose]()
    },
  }
}

const failureReasons: Record<Exclude<SimulatedOutcome, 'completed' | 'stuck'>, string> = {
  content_policy: 'The content policy refused the prompt or an image.',
  invalid_input: 'The input could not be used.',
  upstream_failed: 'The generation failed.',
  upstream_timeout: 'The generation exceeded its time limit.',
  lost_upstream: 'It is unknown whether the generation was started, so it is not started again.',
}

function failureOf(outcome: SimulatedOutcome): PollOutcome {
  if (outcome === 'completed' || outcome === 'stuck') throw new Error(`a simulated task that is ${outcome} has no failure`)
  return { state: 'failed', code: outcome, reason: `${failureReasons[outcome]} (simulated)`, retryable: false }
}

function timesOf({ startedAtMs, endsAtMs }: Operation): { startedAtMs: number; endsAtMs: number } {
  return { startedAtMs: Number(startedAtMs), endsAtMs: Number(endsAtMs) }
}

/** Returns the time of the next progress report: at the next percent, or at the end. */
function nextReportAt(
  nowMs: number,
  { startedAtMs, endsAtMs, progress }: { startedAtMs: number; endsAtMs: number; progress: number },
): number {
  const nextPercentAtMs = startedAtMs + ((progress + 1) / 100) * (endsAtMs - startedAtMs)
  return Math.min(endsAtMs, Math.max(nowMs + reportIntervalMs, nextPercentAtMs))
}

/** Returns the progress, 0 to 99. */
function progressAt(nowMs: number, startedAtMs: number, endsAtMs: number): number {
  if (endsAtMs <= startedAtMs) return 0
  return Math.min(99, Math.max(0, Math.floor((100 * (nowMs - startedAtMs)) / (endsAtMs - startedAtMs))))
}
