import { Option, type Command } from 'commander'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodeOf, followTask } from '../generation/follow-task.ts'
import { defaultTimeoutSeconds, wholeSeconds } from '../generation/timeout.ts'
import { addExamples } from '../terminal/examples.ts'
import { createProgressDisplay } from '../terminal/progress-display.ts'
import { plainText, writeJson, writeLine } from '../terminal/write.ts'
import { writeFailure } from '../terminal/write-failure.ts'

interface EnhanceOptions extends ConnectionOptions {
  for: 'image' | 'video'
  style?: string
  timeout: number
  json?: true
}

export function addEnhanceCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('enhance')
    .summary('expand a prompt with more detail')
    .description('Expand a prompt: keep its subject and add place, light, season, camera and style.')
    .argument('<prompt>', 'prompt')
    .addOption(new Option('--for <kind>', 'medium that the prompt is written for').choices(['image', 'video']).default('image'))
    .option('--style <name>', 'style such as "watercolor" (default: a style that suits the subject)')
    .option('--timeout <seconds>', 'maximum time to wait', wholeSeconds, defaultTimeoutSeconds)
  addConnectionOptions(command)
    .option('--json', 'print the task as JSON')
    .action(async (prompt: string, options: EnhanceOptions) => setExitCode(await enhance(prompt, options)))
  addExamples(
    command,
    [
      'framegate enhance "a fox"',
      'framegate generate "$(framegate enhance "a harbor town" --for video --style watercolor)" --resolution 480p -o harbor.mp4',
    ],
    `The expanded prompt goes to stdout, everything else to stderr. A language model expands it if the server has a route to one.
If no server is named and none responds at the default address, the command starts a temporary one.`,
  )
}

async function enhance(prompt: string, options: EnhanceOptions): Promise<number> {
  const { for: purpose, style, timeout } = options
  return callServer(options, 'start server', async ({ client, call }) => {
    using display = createProgressDisplay(process.stderr)
    const request = { model: 'text-prompt-enhance', prompt, for: purpose, style } as const
    const task = await client.tasks.create(request, call)
    const outcome = await followTask(client, task, {
      timeoutSeconds: timeout,
      signal: call.signal,
      show: (task) => display.show(task, ''),
    })
    display[Symbol.dispose]()
    if (options.json) writeJson(outcome.task)
    else if (outcome.task.text !== undefined) writeLine(outcome.task.text.split('\n').map(plainText).join('\n'))
    if (outcome.failure !== undefined) writeFailure(outcome.failure, options.json)
    return exitCodeOf([outcome.failure])
  })
}
