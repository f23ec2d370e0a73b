import type { IssuedApiKey } from '@framegate/contract'
import type { Asking } from '../connection/ask-server.ts'
import type { Step } from './step.ts'

export interface Outcome {
  done: Step[]
  /** Null: all of it was done. */
  failed: { step: Step; cause: unknown } | null
}

/**
 * One step after the other, until one fails: those that are done stay done, and the same file goes on from there the next time. What
 * has been made is told at once, for a secret is not shown again.
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
