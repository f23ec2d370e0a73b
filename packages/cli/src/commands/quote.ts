import { Option, type Command } from 'commander'
import type { Quote } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { addGenerationOptions, type GenerationOptions } from '../generation/generation-options.ts'
import { generationRequest } from '../generation/generation-request.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts } from '../terminal/table.ts'
import { writeToStderr, writeJson, writeLine } from '../terminal/write.ts'

interface QuoteOptions extends GenerationOptions, ConnectionOptions {
  json?: true
}

const valueCharactersMax = 80

export function addQuoteCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('quote')
    .summary('show the price of a video or an image')
    .description('Show the number of credits that `framegate generate` would hold for one task, without submitting it.')
    .argument('<prompt>', 'prompt')
  addGenerationOptions(command).addOption(
    new Option(
      '-o, --output <path>',
      'output path as in `framegate generate`; its extension selects the default model, and no file is written',
    ),
  )
  addConnectionOptions(command)
    .option('--json', 'print the quote as JSON: `amount`, `available`, `reason`, and `parameters` with all defaults filled in')
    .action(async (prompt: string, options: QuoteOptions) => setExitCode(await quote(prompt, options)))
  addExamples(
    command,
    ['framegate quote "a red kite" --seconds 10 --resolution 480p', 'framegate quote "a red kite" --json'],
    `The price in credits goes to stdout. The exit code is 1 if the server would reject the task, for example because of too few credits.
If no server is named and none responds at the default address, the command starts a temporary one.`,
  )
}

async function quote(prompt: string, options: QuoteOptions): Promise<number> {
  const request = await generationRequest(prompt, options)
  return callServer(options, 'start server', async ({ client, call }) => {
    const response = await client.tasks.quote(request, call)
    if (options.json) writeJson(response)
    else show(response)
    return response.available ? exitCodes.ok : exitCodes.failed
  })
}

function show({ amount, available, reason, parameters, model }: Quote): void {
  writeLine(String(amount))
  const shownParameters = Object.entries(parameters).filter(([name]) => name !== 'model')
  writeToStderr(facts([['model', model], ...shownParameters.map(([name, value]) => [name, valueText(value)] as const)]))
  if (!available) writeToStderr(`The server would reject this task: ${reason}.`)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text
}
