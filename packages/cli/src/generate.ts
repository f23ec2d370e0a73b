import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { Framegate, FramegateError, type Retry, type Task } from '@framegate/sdk'
import { CommandFailure } from './command-failure.ts'
import { defaultImageModel, defaultVideoModel } from './default-models.ts'
import { exitCodes } from './exit-codes.ts'
import { findServer } from './find-server.ts'
import { generationRequest, type GenerationOptions } from './generation-request.ts'
import { watchForInterruption } from './interruption.ts'
import { outputPlace } from './output-file.ts'
import { createProgressDisplay } from './progress-display.ts'
import { saveResult } from './save-result.ts'
import type { ServerInUse } from './server-in-use.ts'

interface GenerateOptions extends GenerationOptions {
  force?: true
  json?: true
  url?: string
  apiKey?: string
  timeout: number
}

const timeoutSecondsDefault = 3600
const answerSecondsMax = 30
const cancelSecondsMax = 5

export function addGenerateCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('generate')
    .summary('make one video or picture and save it')
    .description('Make one video or picture, wait for it, and save it as a file.')
    .argument('<prompt>', 'what to make, in words')
    .option('--model <id>', `Model ID (default: ${defaultVideoModel}, or ${defaultImageModel} when -o names a picture)`)
    .option('--seconds <number>', 'length of the video', number)
    .option('--aspect-ratio <ratio>', 'width to height, such as 16:9')
    .option('--resolution <name>', 'such as 720p, or 1K for pictures')
    .option('--seed <number>', 'the same request with the same seed aims at the same result', number)
    .option('--negative-prompt <words>', 'what should not appear')
    .option('--watermark', "add the provider's or platform's watermark")
    .option('--no-watermark', 'add none')
    .option('--audio', 'make a sound track')
    .option('--no-audio', 'make none')
    .option('--reference <picture...>', 'pictures of what should appear: URLs, or files of this machine')
    .option('--first-frame <picture>', 'picture that the video starts from: a URL or a file')
    .option('--last-frame <picture>', 'picture that the video ends with: a URL or a file')
    .option('-o, --output <path>', 'file to write, or folder to write to (default: here, named after the prompt)')
    .option('--force', 'overwrite the file when it is already there')
    .option('--timeout <seconds>', 'how long to wait for the task', wholeSeconds, timeoutSecondsDefault)
    .option('--url <base-url>', 'server to use (default: FRAMEGATE_URL, then http://127.0.0.1:8787/api)')
    .option('--api-key <key>', 'key to use there (default: FRAMEGATE_API_KEY)')
    .option('--json', 'print the task, with the path of its file, as one line of JSON')
    .addHelpText('after', notes)
    .action(async (prompt: string, options: GenerateOptions) => setExitCode(await generate(prompt, options)))
}

const notes = `
Examples:
  framegate generate "a red kite over a wheat field" --seconds 5 --aspect-ratio 16:9 -o kite.mp4
  framegate generate "the flower opens" --first-frame bud.png --last-frame bloom.png
  framegate generate "this dog as a watercolour" --model ${defaultImageModel} --reference dog.jpg -o card.png

When no server is named and none answers at the usual address, one is started for this task alone.
The path of the file goes to stdout, everything else to stderr. Ctrl-C cancels the task.
Exit codes: 0 saved, 1 the task or the server failed, 2 wrong usage or refused parameters, 130 interrupted.`

async function generate(prompt: string, options: GenerateOptions): Promise<number> {
  const place = outputPlace(options.output, options.force === true)
  const body = await generationRequest(prompt, options)
  using interruption = watchForInterruption()
  using display = createProgressDisplay(process.stderr)
  const { signal } = interruption
  const say = (words: string) => display.say(words)
  await using server = await findServer(options, say)

  const client = connect(server)
  let task: Task | undefined
  try {
    signal.throwIfAborted()
    task = await client.tasks.create(body, { signal, awaitAnswerOnAbort: true, onRetry: (retry) => say(describeRetry(retry)) })
    const onTask = (shown: Task) => display.show(shown)
    const completed = await client.tasks.wait(task, { timeoutSeconds: options.timeout, signal, onTask })
    const path = await saveResult(client, completed, { place, prompt, signal, say })
    display[Symbol.dispose]()
    return report(completed, path, options)
  } catch (error) {
    if (signal.aborted) {
      display.say(task === undefined ? 'Interrupted before a task was made.' : await cancelTask(client, task.id))
      return interruption.exitCode
    }
    display[Symbol.dispose]()
    if (error instanceof FramegateError && error.task?.status === 'failed') return report(error.task, undefined, options)
    throw describeFailure(error, task)
  }
}

function connect({ baseUrl, apiKey }: ServerInUse): Framegate {
  try {
    return new Framegate({ baseUrl, apiKey, timeoutSeconds: answerSecondsMax })
  } catch (error) {
    throw error instanceof FramegateError ? new CommandFailure(exitCodes.usage, error.message, { cause: error }) : error
  }
}

function describeRetry({ error, delaySeconds }: Retry): string {
  return `${error.message} The same request is sent again in ${Math.ceil(delaySeconds)} s.`
}

function report(task: Task, path: string | undefined, options: GenerateOptions): number {
  if (options.json) process.stdout.write(`${JSON.stringify(path === undefined ? task : { ...task, path: resolve(path) })}\n`)
  else if (path !== undefined) process.stdout.write(`${path}\n`)
  if (path !== undefined) return exitCodes.ok
  process.stderr.write(`The task ${task.id} failed: ${task.error ?? task.error_code ?? 'no reason was given'}\n`)
  return exitCodes.failed
}

async function cancelTask(client: Framegate, id: string): Promise<string> {
  try {
    await client.tasks.cancel(id, { timeoutSeconds: cancelSecondsMax, maxRetries: 0 })
    return `Interrupted: the task ${id} is cancelled.`
  } catch (error) {
    const hasEnded = error instanceof FramegateError && error.code === 'task_already_ended'
    if (hasEnded) return `Interrupted: the task ${id} had just ended.`
    return `Interrupted, but the task ${id} could not be cancelled: ${error instanceof Error ? error.message : String(error)}`
  }
}

function describeFailure(error: unknown, accepted: Task | undefined): unknown {
  if (!(error instanceof FramegateError)) return error
  const { code, status, message } = error
  if (code === 'wait_timed_out') {
    return new CommandFailure(exitCodes.failed, `${message} --timeout waits longer.`, { cause: error })
  }
  const goesOn = accepted === undefined ? '' : ` The task ${accepted.id} may still go on.`
  if (status === null) return new CommandFailure(exitCodes.failed, message + goesOn, { cause: error })
  const isWrongRequest = [400, 404, 413].includes(status) && accepted === undefined
  const shownCode = code === 'unexpected_answer' ? '' : ` (${code})`
  return new CommandFailure(isWrongRequest ? exitCodes.usage : exitCodes.failed, `Refused${shownCode}: ${message}${goesOn}`, {
    cause: error,
  })
}

function wholeSeconds(text: string): number {
  const value = number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('It must be a whole number of seconds, at least 1.')
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number.')
}
