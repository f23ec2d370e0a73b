import type { Timeline } from '../api/types.ts'

export interface Bar {
  kind: 'wait' | 'attempt'
  /** Seconds since the task was accepted. */
  from: number
  to: number
  /** Number of the attempt; 0 for a wait. */
  number: number
  route: string | undefined
  outcome: string | undefined
}

/** Converts the events of a task to bars: its waits and attempts. */
export function timelineBars(events: Timeline['events'], nowSeconds: number): { bars: readonly Bar[]; seconds: number } {
  const start = events[0]?.at ?? nowSeconds
  const last = events.at(-1)
  const isRunning = last?.event === 'attempt_started' || last?.event === 'waiting' || last?.event === 'held'
  const end = isRunning ? nowSeconds : (last?.at ?? nowSeconds)
  const bars: Bar[] = []
  let waitingSince: number | null = 0
  let attempt: Bar | null = null

  for (const event of events) {
    const startSeconds = event.at - start
    if (event.event === 'attempt_started') {
      if (waitingSince !== null && startSeconds > waitingSince) bars.push(waitOf(waitingSince, startSeconds))
      attempt = {
        kind: 'attempt',
        from: startSeconds,
        to: startSeconds,
        number: event.attempt ?? 1,
        route: event.route,
        outcome: undefined,
      }
      bars.push(attempt)
      waitingSince = null
    } else if (event.event === 'attempt_ended' && attempt !== null) {
      Object.assign(attempt, { to: startSeconds, outcome: event.outcome })
      attempt = null
      waitingSince = startSeconds
    } else if (event.event === 'completed' || event.event === 'failed') {
      if (attempt !== null) attempt.to = startSeconds
      else if (waitingSince !== null && startSeconds > waitingSince && bars.length === 0)
        bars.push(waitOf(waitingSince, startSeconds))
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
