import { isTerminal, type Task } from '@framegate/contract'
import type { ApiClient, QueriedTask } from './api-client.ts'
import { CommandFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { isWorthRepeating, sleep, type Pause } from './repeat.ts'

// One held request per interval of the polling rule, so that progress is seen move.
const waitSeconds = 5
const pollSecondsMin = 5
const pollSecondsMax = 10
/** Queries in a row that may go without an answer: about two minutes. */
const lostQueriesMax = 12

export interface WaitOptions {
  timeoutSeconds: number
  /** Called with every state that is learned. */
  onTask: (task: Task) => void
  signal: AbortSignal
  pause?: Pause
}

/** Follows a task to its end. A server that does not hold the answer is polled every 5 to 10 seconds, as it asks. */
export async function waitForTask(client: ApiClient, task: Task, options: WaitOptions): Promise<Task> {
  const { timeoutSeconds, onTask, signal, pause = sleep } = options
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  let current = task
  let lostQueries = 0
  onTask(current)
  while (!isTerminal(current.status)) {
    if (performance.now() >= deadlineMs) throw tookTooLong(current, timeoutSeconds)
    const askedAtMs = performance.now()
    const answer = await queryOrNull(client, task.id, signal, lostQueries < lostQueriesMax)
    lostQueries = answer === null ? lostQueries + 1 : 0
    if (answer !== null) {
      current = answer.task
      onTask(current)
    }
    const wasHeld = answer !== null && performance.now() - askedAtMs >= (waitSeconds - 1) * 1000
    if (!wasHeld && !isTerminal(current.status)) await pause(pauseMs(answer), signal)
  }
  return current
}

/** Null when no answer came and more patience is left: asking again costs nothing. */
async function queryOrNull(
  client: ApiClient,
  id: string,
  signal: AbortSignal,
  hasPatience: boolean,
): Promise<QueriedTask | null> {
  try {
    return await client.query(id, waitSeconds, signal)
  } catch (error) {
    if (hasPatience && isWorthRepeating(error)) return null
    throw error
  }
}

function pauseMs(answer: QueriedTask | null): number {
  const seconds = answer?.retryAfterSeconds ?? pollSecondsMin
  return Math.min(Math.max(seconds, pollSecondsMin), pollSecondsMax) * 1000
}

function tookTooLong(task: Task, timeoutSeconds: number): CommandFailure {
  return new CommandFailure(
    exitCodes.failed,
    `The task ${task.id} is still ${task.status} after ${timeoutSeconds} s and goes on; --timeout waits longer.`,
  )
}
