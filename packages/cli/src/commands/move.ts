import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { watchForInterruption } from '../interruption.ts'
import { writeToStderr, writeJson } from '../terminal/write.ts'
import { flagsOf, type SettingOptions } from './setting-options.ts'

interface MoveOptions extends Pick<SettingOptions, 'dataDir' | 'config'> {
  json?: true
}

/**
 * Maximum length of a line in UTF-16 units. Every valid row is far shorter: the largest ones have
 * the data URIs of a task, at most 12 MiB in total.
 */
const lineLengthMax = 256 * 1024 * 1024

const notes = `An export contains everything in the database except console sessions, so users must sign in again. It contains no files. It
includes hashes of API keys, encrypted credentials and the key that signs result links. Protect it like the database.
Results and assets stay in the data folder or in S3. Upstream credentials are encrypted with the key in \`seal.key\` in the data folder: keep using
that folder, or set the contents of that file as \`FRAMEGATE_SEAL_KEY\` for every process.`

export function addExportCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('export')
    .summary('export a SQLite database to a file')
    .description('Export the SQLite database of a stopped service to a file, to move it to PostgreSQL.')
    .argument('<file>', 'new file, readable only by you; `-` for stdout')
    .option('--data-dir <folder>', 'data folder of the service (default: as in `framegate serve`)')
    .option('--config <file>', 'configuration file of the service (default: `framegate.yaml`, if it exists)')
    .option('--json', 'print the number of rows of each table as JSON; cannot be combined with `-`')
    .action(async (file: string, options: MoveOptions) => setExitCode(await exportTo(file, options)))
  addExamples(command, ['framegate export framegate.ndjson', 'framegate export - | gzip > framegate.ndjson.gz'], notes)
}

export function addImportCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('import')
    .summary('import an export into a PostgreSQL database')
    .description(
      'Import an export into the empty PostgreSQL database in `DATABASE_URL`. If a row is missing or the ledger does not ' +
        'balance, the import fails and changes nothing.',
    )
    .argument('<file>', 'output of `framegate export`; `-` for stdin')
    .option('--config <file>', 'configuration file of the service (default: `framegate.yaml`, if it exists)')
    .option('--json', 'print the number of rows of each table as JSON')
    .action(async (file: string, options: MoveOptions) => setExitCode(await importFrom(file, options)))
  addExamples(command, ['framegate import framegate.ndjson', 'gunzip < framegate.ndjson.gz | framegate import -'], notes)
}

async function exportTo(file: string, options: MoveOptions): Promise<number> {
  if (file === '-' && options.json)
    throw new CommandFailure(exitCodes.usage, '--json cannot be combined with an export to stdout.')
  const { exportInstallation } = await import('@framegate/server')
  const config = await loadServerConfig(options)
  using interruption = watchForInterruption()
  const { signal } = interruption
  const output = file === '-' ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  if (file !== '-') await once(output, 'open').catch((error: unknown) => Promise.reject(unusableFileFailure(file, error)))
  let rows: Awaited<ReturnType<typeof exportInstallation>>
  try {
    rows = await exportInstallation(config, async (line) => {
      if (!output.write(`${line}\n`)) await once(output, 'drain', { signal })
    })
    if (file !== '-') {
      output.end()
      // The file is flushed to the disk between 'finish' and 'close'.
      await once(output, 'close')
    }
  } catch (error) {
    if (file !== '-') rmSync(file, { force: true })
    if (!signal.aborted) throw withNameOfOutput(error, file)
    writeToStderr('Interrupted. The export is incomplete.')
    return interruption.exitCode
  }
  if (options.json) writeJson(rows)
  else writeToStderr(`Exported ${summarize(rows)}.`)
  return exitCodes.ok
}

async function importFrom(file: string, options: MoveOptions): Promise<number> {
  const { importInstallation } = await import('@framegate/server')
  const config = await loadServerConfig(options)
  const input = file === '-' ? process.stdin : createReadStream(file)
  if (file !== '-') await once(input, 'open').catch((error: unknown) => Promise.reject(unusableFileFailure(file, error)))
  const rows = await importInstallation(config, readLines(input), file === '-' ? 'The export' : file)
  if (options.json) writeJson(rows)
  else writeToStderr(`Imported ${summarize(rows)}. The counts match, and the ledger balances.`)
  return exitCodes.ok
}

/**
 * Yields the lines of the input. It splits only at LF, while `node:readline` also splits at U+2028
 * and U+2029, which JSON may contain.
 */
async function* readLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  input.setEncoding('utf8')
  let incompleteLine = ''
  for await (const chunk of input) {
    const [lineEnd = '', ...lines] = String(chunk).split('\n')
    incompleteLine += lineEnd
    if (incompleteLine.length > lineLengthMax)
      throw new CommandFailure(exitCodes.failed, 'The export has a line that is too long.')
    for (const line of lines) {
      yield incompleteLine
      incompleteLine = line
    }
  }
  yield incompleteLine
}

async function loadServerConfig(options: MoveOptions) {
  const { loadConfig } = await import('@framegate/server')
  return loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
}

function summarize(rows: Readonly<Record<string, number>>): string {
  const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${rowCount} rows: ${rows['accounts']} accounts, ${rows['tasks']} tasks, ${rows['entries']} ledger entries`
}

/** Adds the name of the output to the error of a write. */
function withNameOfOutput(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'write' || 'path' in error) return error
  if (file !== '-') return Object.assign(error, { path: file })
  return new CommandFailure(exitCodes.failed, 'The output was closed before the end of the export.', { cause: error })
}

function unusableFileFailure(file: string, error: unknown): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${file} cannot be used: ${(error as Error).message}`)
}
