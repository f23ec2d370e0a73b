import type { Timeline } from '../api/types.ts'

export interface Bar {
  kind: 'wait' | 'attempt'
  /** Start, in seconds since the task was accepted. */
  from: number
  /** End, in seconds since the task was accepted. */
  to: number
  /** Number of the attempt; 0 for a wait. */
  number: number
  route: string | undefined
  outcome: string | undefined
}

/**
 * Converts the events of a task to bars: its attempts, and the waits before them. `seconds` is the
 * time from acceptance to the end or, while the task has not ended, to now.
 */
export function timelineBars(events: Timeline['events'], nowSeconds: number): { bars: readonly Bar[]; seconds: number } {
  const start = events[0]?.at ?? nowSeconds
  const last = events.at(-1)
  const isRunning = last?.event === 'attempt_started' || last?.event === 'waiting' || last?.event === 'held'
  const end = isRunning ? nowSeconds : (last?.at ?? nowSeconds)
  const bars: Bar[] = []
  let waitingSince: number | null = 0
  let attempt: Bar | null = null

  for (const event of events) {
    const seconds = event.at - start
    if (event.event === 'attempt_started') {
      if (waitingSince !== null && seconds > waitingSince) bars.push(waitOf(waitingSince, seconds))
      attempt = {
        kind: 'attempt',
        from: seconds,
        to: seconds,
        number: event.attempt ?? 1,
        route: event.route,
        outcome: undefined,
      }
      bars.push(attempt)
      waitingSince = null
    } else if (event.event === 'attempt_ended' && attempt !== null) {
      Object.assign(attempt, { to: seconds, outcome: event.outcome })
      attempt = null
      waitingSince = seconds
    } else if (event.event === 'completed' || event.event === 'failed') {
      if (attempt !== null) attempt.to = seconds
      else if (waitingSince !== null && seconds > waitingSince && bars.length === 0) bars.push(waitOf(waitingSince, seconds))
      attempt = null
      waitingSince = null
    }
  }
  if (attempt !== null) attempt.to = end - start
  else if (waitingSince !== null && isRunning) bars.push(waitOf(waitingSince, end - start))
  return { bars, seconds: Math.max(0.001, end - start) }
}

function waitOf(from: number, to: number): Bar {
  return { kind: 'wait', from, to, number: 0, route: undefined, outcome: undefined }
}
