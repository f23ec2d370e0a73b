import { CommanderError } from 'commander'
import { CommandFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'

// When something still holds the process after its command has ended, it is ended all the same.
const exitGraceMs = 2_000

/** Runs one command and answers with its exit code. */
export async function main(args: string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietlyWithoutReader)
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
