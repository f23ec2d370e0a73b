import { Command, CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { CommandFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { addGenerateCommand } from './generate.ts'
import { addServeCommand } from './serve.ts'

// When something still holds the process after its command has ended, it is ended all the same.
const exitGraceMs = 2_000

/** Runs one command and answers with its exit code. */
export async function main(args: string[]): Promise<number> {
  process.stdout.on('error', endQuietlyWithoutReader)
  const exitCode = await run(args)
  setTimeout(() => process.exit(exitCode), exitGraceMs).unref()
  return exitCode
}

async function run(args: string[]): Promise<number> {
  let exitCode: number = exitCodes.ok
  const program = createProgram((code) => {
    exitCode = code
  })
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    process.stderr.write(`${describeFailure(error)}\n`)
    return error instanceof CommandFailure ? error.exitCode : exitCodes.failed
  }
}

function createProgram(setExitCode: (code: number) => void): Command {
  const program = new Command('framegate')
    .description(packageJson.description)
    .version(packageJson.version)
    .helpCommand(false)
    .exitOverride()
    .addHelpText('after', examples)
  addServeCommand(program, setExitCode)
  addGenerateCommand(program, setExitCode)
  return program
}

const examples = `
Examples:
  framegate serve
  framegate serve --port 0 --data-dir ./studio --json
  framegate generate "a red fox in the snow at dusk" -o fox.mp4
  framegate generate "an oil painting of a lighthouse" -o lighthouse.png

framegate COMMAND --help tells the options of a command.
Exit codes: 0 done, 1 the task or the server failed, 2 wrong usage, 130 interrupted.`

// These three, known by name so that `framegate --help` need not load the server, are written for people.
const namesForPeople = new Set(['CommandFailure', 'ConfigError', 'StartupError'])

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (namesForPeople.has(error.name)) return error.message
  return process.env['LOG_LEVEL'] === 'debug' && error.stack !== undefined
    ? error.stack
    : `Framegate met a fault of its own: ${error.message} (LOG_LEVEL=debug shows where).`
}

function endQuietlyWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
