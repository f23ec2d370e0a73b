import { isOutcomeUnknown } from '../api/api-error.ts'
import { isEnded } from '../api/follow-task.ts'
import type { Task } from '../api/types.ts'

const pollsMax = 10

/**
 * Polls a text task until it has ended, but at most ten times, and returns its last known state. A
 * poll without a response is repeated: if the user submitted the task again, it would be charged
 * again.
 */
export async function waitForText(task: Task, poll: (path: string) => Promise<Task>, pauseMs = 2_000): Promise<Task> {
  let current = task
  for (let polls = 0; polls < pollsMax && !isEnded(current); polls++) {
    try {
      current = await poll(`/v2/model-center/tasks/${task.id}?wait=30`)
    } catch (error) {
      if (!isOutcomeUnknown(error) || polls + 1 === pollsMax) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return current
}
