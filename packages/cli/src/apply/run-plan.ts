import type { IssuedApiKey } from '@framegate/contract'
import type { Asking } from '../connection/ask-server.ts'
import type { Step } from './step.ts'

export interface Outcome {
  done: Step[]
  /** Null if every step succeeded. */
  failed: { step: Step; cause: unknown } | null
}

/**
 * Runs the steps in order until one fails. Completed steps stay, and the next run with the same
 * file continues from there. Created keys are reported at once, because their secrets are not shown
 * again.
 */
export async function runPlan(
  steps: readonly Step[],
  asking: Asking,
  onDone: (step: Step, key: IssuedApiKey | undefined) => void,
): Promise<Outcome> {
  const done: Step[] = []
  let current: Step | undefined
  try {
    for (current of steps) await current.prepare?.(asking)
    for (current of steps) {
      asking.call.signal.throwIfAborted()
      const key = await current.run(asking)
      done.push(current)
      onDone(current, key)
    }
    return { done, failed: null }
  } catch (cause) {
    if (current === undefined) throw cause
    return { done, failed: { step: current, cause } }
  }
}
