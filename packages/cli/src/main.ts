import { CommanderError } from 'commander'
import { CommandFailure } from './command-failure.ts'
import { isInvalidOption } from './commands/setting-options.ts'
import { exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { writeToStderr } from './terminal/write.ts'
import { errorText, plainError, writeFailure } from './terminal/write-failure.ts'

// Time from the end of a command until the process exits even if open handles keep it alive.
const exitGraceMs = 2_000

/** Runs one command and returns its exit code. */
export async function main(args: string[]): Promise<number> {
  process.stdout.on('error', endWithoutOutput)
  // No stream is left that could report the error.
  process.stderr.on('error', () => {})
  const exitCode = await run(args)
  setTimeout(() => process.exit(exitCode), exitGraceMs).unref()
  return exitCode
}

async function run(args: string[]): Promise<number> {
  let exitCode: number = exitCodes.ok
  const isJson = requestsJson(args)
  const program = createProgram(
    (code) => {
      exitCode = code
    },
    { writesOwnErrors: !isJson, firstArgument: args[0] },
  )
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok
      if (isJson) writeToStderr(errorText(plainError('wrong_usage', error.message.replace(/^error: /, ''), exitCodes.usage)))
      return exitCodes.usage
    }
    if (error instanceof CommandFailure) {
      writeFailure(error, isJson)
      return error.exitCode
    }
    const message = describeFailure(error)
    const [code, failureExitCode] = isInvalidOption(error)
      ? (['wrong_usage', exitCodes.usage] as const)
      : (['failed', exitCodes.failed] as const)
    writeToStderr(isJson ? errorText(plainError(code, message, failureExitCode)) : message)
    return failureExitCode
  }
}

/**
 * Whether the arguments contain `--json`. Commander's own parse errors must be printed as JSON too,
 * so its parsed options cannot be used.
 */
function requestsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

// Errors whose messages are shown to users unchanged. They are recognized by name, so that
// `framegate --help` need not load the classes from the server.
const userErrorNames = new Set(['ConfigError', 'StartupError'])

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (userErrorNames.has(error.name)) return error.message
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && path !== undefined && syscall !== undefined && process.env['LOG_LEVEL'] !== 'debug')
    return `${path} cannot be used (${code}): ${systemErrorText(code)}.`
  return process.env['LOG_LEVEL'] === 'debug' && error.stack !== undefined
    ? error.stack
    : `Internal error of Framegate: ${error.message} (LOG_LEVEL=debug shows the stack trace).`
}

function systemErrorText(code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'EISDIR':
      return 'it is a folder, not a file'
    case 'ENOTDIR':
      return 'a part of the path is a file'
    case 'EEXIST':
      return 'a file or a folder has this name'
    case 'ENAMETOOLONG':
      return 'the path, or a name in it, is too long'
    case 'ENOENT':
      return 'it does not exist'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    case 'EROFS':
      return 'the disk is read-only'
    default:
      return 'the operating system reported an error; check the disk and the system log'
  }
}

/** Ends the process if the output cannot be written, unless its reader has closed the pipe. */
function endWithoutOutput({ code = '' }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return
  writeToStderr(`The output cannot be written (${code}): ${systemErrorText(code)}.`)
  // Exits later, so that a command can report that a secret is lost.
  setImmediate(() => process.exit(exitCodes.failed))
}
