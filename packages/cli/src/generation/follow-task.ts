import { resolve } from 'node:path'
import { FramegateError, type Framegate, type Task } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { explainFailure } from '../connection/connect.ts'
import { exitCodes } from '../exit-codes.ts'

/** Outcome of a task that the command waited for. */
export interface Outcome {
  /** The task in its last known state. */
  task: Task
  /** Paths of the saved files, if any. */
  paths?: readonly string[]
  failure?: CommandFailure
}

export interface FollowOptions {
  timeoutSeconds: number
  signal: AbortSignal
  show: (task: Task) => void
  /** Saves the results of the completed task and returns the paths of the files. */
  save?: (task: Task & { status: 'completed' }) => Promise<readonly string[]>
}

/**
 * Waits for a task and saves its result. Returns a failure as part of the outcome instead of
 * throwing, so that the command continues with other tasks.
 */
export async function followTask(
  client: Framegate,
  taskOrId: Task | string,
  { timeoutSeconds, signal, show, save }: FollowOptions,
): Promise<Outcome> {
  let task = typeof taskOrId === 'string' ? undefined : taskOrId
  const onTask = (currentTask: Task) => {
    task = currentTask
    show(currentTask)
  }
  try {
    const completedTask = await client.tasks.wait(taskOrId, { timeoutSeconds, signal, onTask })
    return save === undefined ? { task: completedTask } : { task: completedTask, paths: await save(completedTask) }
  } catch (error) {
    if (signal.aborted || task === undefined) throw error
    return { task, failure: toCommandFailure(error, task) }
  }
}

function toCommandFailure(error: unknown, task: Task): CommandFailure {
  if (error instanceof FramegateError && error.task?.status === 'failed') {
    const reason = task.error ?? task.error_code ?? 'no reason was given'
    return new CommandFailure(exitCodes.failed, `The task ${task.id} failed: ${reason}`, { cause: error })
  }
  const explanation = explainFailure(error)
  if (!(explanation instanceof CommandFailure)) throw explanation
  if (error instanceof CommandFailure || explanation.exitCode === exitCodes.timeUp) return explanation
  return new CommandFailure(exitCodes.failed, `${explanation.message} The task ${task.id} may still be running.`, {
    cause: error,
  })
}

/**
 * Returns the exit code of the first failure that is not a timeout, or else of the first timeout.
 */
export function exitCodeOf(failures: readonly (CommandFailure | undefined)[]): number {
  const codes = failures.flatMap((failure) => (failure === undefined ? [] : [failure.exitCode]))
  return codes.find((code) => code !== exitCodes.timeUp) ?? codes[0] ?? exitCodes.ok
}

/**
 * Returns the output of `--json`: the task, the path of its first file, and all paths if there are
 * several.
 */
export function outcomeView({ task, paths = [] }: Outcome): Task & { path?: string; paths?: string[] } {
  const [firstPath, ...others] = paths.map((path) => resolve(path))
  if (firstPath === undefined) return task
  return { ...task, path: firstPath, ...(others.length > 0 && { paths: [firstPath, ...others] }) }
}
