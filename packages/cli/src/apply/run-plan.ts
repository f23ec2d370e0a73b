import type { IssuedApiKey } from '@framegate/contract'
import type { ServerSession } from '../connection/call-server.ts'
import type { Step } from './step.ts'

export interface Outcome {
  done: Step[]
  /** Null if every step succeeded. */
  failed: { step: Step; cause: unknown } | null
}

/**
 * Runs the steps in order until one fails. Completed steps are not undone; the next run with the
 * same file continues after them. Waits until `onDone` has written the secret of a created key,
 * because the API does not return the secret again. If `onDone` fails, the plan ends.
 */
export async function runPlan(
  steps: readonly Step[],
  session: ServerSession,
  onDone: (step: Step, key: IssuedApiKey | undefined) => Promise<void>,
): Promise<Outcome> {
  const completedSteps: Step[] = []
  let currentStep: Step | undefined
  try {
    for (currentStep of steps) {
      session.call.signal.throwIfAborted()
      const key = await currentStep.run(session)
      completedSteps.push(currentStep)
      await onDone(currentStep, key)
    }
    return { done: completedSteps, failed: null }
  } catch (cause) {
    if (currentStep === undefined) throw cause
    return { done: completedSteps, failed: { step: currentStep, cause } }
  }
}
