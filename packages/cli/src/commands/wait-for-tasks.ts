import type { Command } from 'commander'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodeOf, followTask } from '../generation/follow-task.ts'
import { defaultTimeoutSeconds, wholeSeconds } from '../generation/timeout.ts'
import { addExamples } from '../terminal/examples.ts'
import { createProgressDisplay } from '../terminal/progress-display.ts'
import { writeJsonItemOrArray, writeLine } from '../terminal/write.ts'
import { writeFailure } from '../terminal/write-failure.ts'

interface WaitOptions extends ConnectionOptions {
  timeout: number
  json?: true
}

export function addWaitCommand(tasks: Command, setExitCode: (code: number) => void): void {
  const command = tasks
    .command('wait')
    .description('Wait until tasks have ended.')
    .argument('<id...>', 'task ids')
    .option('--timeout <seconds>', 'maximum time to wait', wholeSeconds, defaultTimeoutSeconds)
  addConnectionOptions(command)
    .option('--json', 'print the task as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: WaitOptions) => setExitCode(await waitForTasks(ids, options)))
  addExamples(
    command,
    ['framegate tasks wait task_0197c0de...', 'framegate tasks wait task_0197c0de... task_0197c0df... --timeout 600 --json'],
    `Progress goes to stderr. When a task ends, a line with its id and status goes to stdout. The exit code is 0 if all tasks
completed, 1 if one failed, and 3 if the timeout was reached. Ctrl-C stops the command; the tasks continue.`,
  )
}

async function waitForTasks(ids: readonly string[], options: WaitOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    using display = createProgressDisplay(process.stderr)
    const outcomes = await Promise.all(
      ids.map(async (id) => {
        const outcome = await followTask(client, id, {
          timeoutSeconds: options.timeout,
          signal: call.signal,
          // The final status is written to stdout instead.
          show: (task) => {
            if (task.status === 'queued' || task.status === 'processing') display.show(task, ids.length === 1 ? '' : id)
          },
        })
        display.end(id)
        if (!options.json) display.writeAround(() => writeLine(`${id} ${outcome.task.status}`))
        return outcome
      }),
    )
    display[Symbol.dispose]()
    if (options.json) {
      const tasks = outcomes.map(({ task }) => task)
      writeJsonItemOrArray(tasks, ids.length)
    }
    for (const { failure } of outcomes) if (failure !== undefined) writeFailure(failure, options.json)
    return exitCodeOf(outcomes.map(({ failure }) => failure))
  })
}
