import type { Command } from 'commander'
import { FramegateError, type Framegate, type Task } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { connect, describeRetry, explainFailure } from '../connection/connect.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { findServer } from '../connection/find-server.ts'
import { defaultImageModel } from '../generation/default-models.ts'
import { exitCodeOf, followTask, outcomeView, type Outcome } from '../generation/follow-task.ts'
import { addGenerationOptions, wholeNumber, type GenerationOptions } from '../generation/generation-options.ts'
import { openFile } from '../generation/open-file.ts'
import { planTasks, tasksMax, type PlannedTask } from '../generation/plan-tasks.ts'
import { readPrompts } from '../generation/read-prompts.ts'
import { defaultTimeoutSeconds, wholeSeconds } from '../generation/timeout.ts'
import { saveResults } from '../generation/save-result.ts'
import { watchForInterruption, type Interruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { createProgressDisplay, type ProgressDisplay } from '../terminal/progress-display.ts'
import { writeJsonItemOrArray, writeLine } from '../terminal/write.ts'
import { writeFailure } from '../terminal/write-failure.ts'

interface GenerateOptions extends GenerationOptions, ConnectionOptions {
  count: number
  force?: true
  open?: true
  json?: true
  timeout: number
}

const cancelTimeoutSeconds = 5

export function addGenerateCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('generate')
    .summary('generate videos or images and save them')
    .description('Generate a video or an image from each prompt, wait for it, and save it as a file.')
    .argument('<prompt...>', 'prompts; `-` reads one prompt per line from stdin')
  addGenerationOptions(command)
    .option('--count <number>', 'number of variations of each prompt, with different seeds', wholeNumber(1, tasksMax), 1)
    .option(
      '-o, --output <path>',
      'output file or folder; a path that ends in `/` is a folder, created if missing (default: a file in the current folder, named after the prompt)',
    )
    .option('--force', 'overwrite existing files')
    .option('--open', 'open each result in the default program')
    .option('--timeout <seconds>', 'maximum time to wait', wholeSeconds, defaultTimeoutSeconds)
  addConnectionOptions(command)
    .option('--json', 'print the task, with the paths of its files, as JSON: an object, or an array for several tasks')
    .action(async (prompts: string[], options: GenerateOptions) => setExitCode(await generate(prompts, options)))
  addExamples(command, examples, notes)
}

const examples = [
  'framegate generate "a red kite over a wheat field" --seconds 4 --resolution 480p --aspect-ratio 16:9 -o kite.mp4',
  'framegate generate "a quiet lake" "the same lake in a storm" --model imgA-5.0 --count 2 -o lakes/',
  'framegate generate "the flower opens" --first-frame bud.png --last-frame bloom.png --seconds 4 --open',
  `framegate generate "this dog as a watercolor" --model ${defaultImageModel} --reference dog.jpg -o card.png`,
  'framegate generate - --json < prompts.txt',
]

const notes = `If no server is named and none responds at the default address, the command starts a temporary one.
The path of each file goes to stdout, everything else to stderr. Ctrl-C cancels the tasks.
The extension of a file always matches its type: \`-o fox.jpg\` saves a PNG image as \`fox.png\` and prints a notice.
Several results with one name are numbered: \`-o fox.mp4\` with \`--count 2\` writes \`fox-1.mp4\` and \`fox-2.mp4\`. If one
task has several results, these are numbered too.
If the server rejects one of several tasks, the command submits no more of them, and waits for the tasks that were accepted.`

async function generate(promptArguments: string[], options: GenerateOptions): Promise<number> {
  const plan = await planTasks(await readPrompts(promptArguments), options)
  using interruption = watchForInterruption()
  using display = createProgressDisplay(process.stderr)
  const printMessage = (message: string) => display.showMessage(message)
  await using server = await findServer(options, printMessage, 'start server')
  return await generateAll(plan, {
    client: connect(server),
    mayLink: server.isTemporary !== true,
    interruption,
    display,
    options,
  })
}

interface GenerationRun {
  client: Framegate
  /** Whether the links of results work after the command has ended. */
  mayLink: boolean
  interruption: Interruption
  display: ProgressDisplay
  options: GenerateOptions
}

async function generateAll(plan: readonly PlannedTask[], run: GenerationRun): Promise<number> {
  const { interruption, display, options } = run
  const submittedTasks: Task[] = []
  const pendingOutcomes: Promise<Outcome>[] = []
  let refusal: CommandFailure | undefined
  try {
    for (const plannedTask of plan) {
      try {
        const task = await submit(plannedTask, run)
        submittedTasks.push(task)
        const outcome = follow(task, plannedTask, run)
        outcome.catch(() => {})
        pendingOutcomes.push(outcome)
      } catch (error) {
        const explanation = explainFailure(error)
        if (interruption.signal.aborted || !(explanation instanceof CommandFailure)) throw explanation
        refusal = explanation
        display.showMessage(refusal.message)
        if (submittedTasks.length > 0)
          display.showMessage(`${submittedTasks.length} of ${plan.length} tasks were accepted before that. They continue.`)
        break
      }
    }
    const outcomes = await Promise.all(pendingOutcomes)
    display[Symbol.dispose]()
    return report(outcomes, refusal, options, plan.length)
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    if (submittedTasks.length === 0) display.showMessage('Interrupted before a task was submitted.')
    const endedIds = new Set(
      (await Promise.allSettled(pendingOutcomes)).flatMap((outcome) =>
        outcome.status === 'fulfilled' ? [outcome.value.task.id] : [],
      ),
    )
    const unfinishedTasks = submittedTasks.filter(({ id }) => !endedIds.has(id))
    for (const message of await Promise.all(unfinishedTasks.map(async ({ id }) => cancelTask(run.client, id))))
      display.showMessage(message)
    return interruption.exitCode
  }
}

async function submit({ request, label }: PlannedTask, { client, interruption, display }: GenerationRun): Promise<Task> {
  const { signal } = interruption
  signal.throwIfAborted()
  const onRetry = (retry: Parameters<typeof describeRetry>[0]) => display.showMessage(describeRetry(retry))
  const task = await client.tasks.create(request, { signal, awaitResponseOnAbort: true, onRetry })
  display.show(task, label)
  return task
}

async function follow(task: Task, { prompt, target, label }: PlannedTask, run: GenerationRun): Promise<Outcome> {
  const { client, mayLink, interruption, display, options } = run
  const { signal } = interruption
  const printMessage = (message: string) => display.showMessage(message)
  const outcome = await followTask(client, task, {
    timeoutSeconds: options.timeout,
    signal,
    show: (task) => display.show(task, label),
    save: (completed) => saveResults(client, completed, { target, prompt, mayLink, signal, printMessage }),
  })
  display.end(task.id)
  for (const path of outcome.paths ?? []) {
    if (!options.json) display.writeAround(() => writeLine(path))
    if (options.open) await openFile(path, printMessage)
  }
  return outcome
}

function report(
  outcomes: readonly Outcome[],
  refusal: CommandFailure | undefined,
  options: GenerateOptions,
  requestedCount: number,
): number {
  if (options.json && outcomes.length > 0) writeJsonItemOrArray(outcomes.map(outcomeView), requestedCount)
  for (const { failure } of outcomes) if (failure !== undefined) writeFailure(failure, options.json)
  return exitCodeOf([refusal, ...outcomes.map(({ failure }) => failure)])
}

async function cancelTask(client: Framegate, id: string): Promise<string> {
  try {
    await client.tasks.cancel(id, { timeoutSeconds: cancelTimeoutSeconds, maxRetries: 0 })
    return `Interrupted. The task ${id} was cancelled.`
  } catch (error) {
    const hasEnded = error instanceof FramegateError && error.code === 'task_already_ended'
    if (hasEnded) return `Interrupted. The task ${id} had already ended.`
    return `Interrupted. The task ${id} could not be cancelled: ${error instanceof Error ? error.message : String(error)}`
  }
}
