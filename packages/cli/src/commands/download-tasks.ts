import type { CompletedTask, Task } from '@framegate/sdk'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { callServer } from '../connection/call-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitCodeOf, outcomeView, type Outcome } from '../generation/follow-task.ts'
import { openFile } from '../generation/open-file.ts'
import { numberedTargets } from '../generation/output-file.ts'
import { saveResults } from '../generation/save-result.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeToStderr, writeJsonItemOrArray, writeLine } from '../terminal/write.ts'
import { writeFailure } from '../terminal/write-failure.ts'

interface DownloadOptions extends ConnectionOptions {
  output?: string
  force?: true
  open?: true
  json?: true
}

export function addDownloadCommand(tasks: Command, setExitCode: (code: number) => void): void {
  const command = tasks
    .command('download')
    .description('Save the results of completed tasks.')
    .argument('<id...>', 'task ids')
    .option(
      '-o, --output <path>',
      'output file or folder; a path that ends in `/` is a folder, created if missing (default: a file in the current folder, named after the model and task)',
    )
    .option('--force', 'overwrite existing files')
    .option('--open', 'open each result in the default program')
  addConnectionOptions(command)
    .option('--json', 'print the task, with the paths of its files, as JSON: an object, or an array for several ids')
    .action(async (ids: string[], options: DownloadOptions) => setExitCode(await downloadTasks(ids, options)))
  addExamples(
    command,
    [
      'framegate tasks download task_0197c0de... -o fox.mp4',
      'framegate tasks download task_0197c0de... task_0197c0df... -o videos/',
    ],
    `The path of each file goes to stdout. A task that is not completed is an error; wait for it with \`framegate tasks wait\`.
If a task has several results, their files are numbered. The extension of a file always matches its type, as with
\`framegate generate\`.`,
  )
}

async function downloadTasks(ids: readonly string[], options: DownloadOptions): Promise<number> {
  const targets = numberedTargets(options.output, options.force === true, ids.length)
  return callServer(options, 'require server', async ({ client, call }) => {
    const { signal } = call
    const savedResults: Outcome[] = []
    const failures: CommandFailure[] = []
    for (const [index, target] of targets.entries()) {
      try {
        const task = requireCompleted(await client.tasks.get(ids[index] ?? '', call))
        const paths = await saveResults(client, task, {
          target,
          prompt: task.model,
          mayLink: true,
          signal,
          printMessage: writeToStderr,
        })
        savedResults.push({ task, paths })
        for (const path of paths) {
          if (!options.json) writeLine(path)
          if (options.open) await openFile(path, writeToStderr)
        }
      } catch (error) {
        const explanation = explainFailure(error)
        if (signal.aborted || !(explanation instanceof CommandFailure)) throw error
        failures.push(explanation)
        writeFailure(explanation, options.json, ids[index])
      }
    }
    if (options.json && savedResults.length > 0) writeJsonItemOrArray(savedResults.map(outcomeView), ids.length)
    return exitCodeOf(failures)
  })
}

function requireCompleted(task: Task): CompletedTask {
  if (task.status === 'completed') return task as CompletedTask
  if (task.status === 'failed') {
    throw new CommandFailure(
      exitCodes.failed,
      `The task ${task.id} failed: ${task.error ?? task.error_code ?? 'no reason was given'}`,
    )
  }
  throw new CommandFailure(
    exitCodes.failed,
    `The task ${task.id} is still ${task.status}. Wait for it with framegate tasks wait ${task.id}.`,
  )
}
