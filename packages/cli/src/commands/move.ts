import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { sayOnStderr, writeJson } from '../terminal/write.ts'
import { flagsOf, type SettingOptions } from './setting-options.ts'

interface MoveOptions extends Pick<SettingOptions, 'dataDir' | 'config'> {
  json?: true
}

/** Longer than any row. Images in a row have at most 20 MB. */
const lineLengthMax = 256 * 1024 * 1024

const notes = `An export holds everything but files: hashes of keys, sealed credentials, and the key that signs result links. Keep it as you keep a database.
Results and assets stay where they are: in the data folder, or in S3. Upstreams' credentials are sealed with seal.key of the data folder:
go on with that folder, or give its text to every process as FRAMEGATE_SEAL_KEY.`

export function addMoveCommands(program: Command, setExitCode: (code: number) => void): void {
  const exporting = program
    .command('export')
    .summary('write all that SQLite holds into a file')
    .description('Write all that the SQLite database of a stopped service holds into a file, to move it to PostgreSQL.')
    .argument('<file>', 'a new file that only you can read; - for stdout')
    .option('--data-dir <folder>', 'data folder of the service (default: as with framegate serve)')
    .option('--config <file>', 'configuration file of the service (default: framegate.yaml, when it is there)')
    .option('--json', 'print how many rows each table has as JSON; not with stdout')
    .action(async (file: string, options: MoveOptions) => setExitCode(await exportTo(file, options)))
  addExamples(exporting, ['framegate export framegate.ndjson', 'framegate export - | gzip > framegate.ndjson.gz'], notes)
  const importing = program
    .command('import')
    .summary('write an export into a PostgreSQL database')
    .description(
      'Write an export into the empty PostgreSQL database that DATABASE_URL names: all of it, with books that balance, or nothing.',
    )
    .argument('<file>', 'what framegate export has written; - for stdin')
    .option('--config <file>', 'configuration file of the service (default: framegate.yaml, when it is there)')
    .option('--json', 'print how many rows each table has as JSON')
    .action(async (file: string, options: MoveOptions) => setExitCode(await importFrom(file, options)))
  addExamples(importing, ['framegate import framegate.ndjson', 'gunzip < framegate.ndjson.gz | framegate import -'], notes)
}

async function exportTo(file: string, options: MoveOptions): Promise<number> {
  if (file === '-' && options.json) throw new CommandFailure(exitCodes.usage, 'Leave --json out: stdout has the export.')
  const { exportInstallation } = await import('@framegate/server')
  const config = await configOf(options)
  const output = file === '-' ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 })
  if (file !== '-') await once(output, 'open').catch((error: unknown) => Promise.reject(unusable(file, error)))
  const rows = await exportInstallation(config, async (line) => {
    if (!output.write(`${line}\n`)) await once(output, 'drain')
  })
  if (file !== '-') {
    output.end()
    await once(output, 'finish')
  }
  if (options.json) writeJson(rows)
  else sayOnStderr(`Exported ${summary(rows)}.`)
  return exitCodes.ok
}

async function importFrom(file: string, options: MoveOptions): Promise<number> {
  const { importInstallation } = await import('@framegate/server')
  const config = await configOf(options)
  const input = file === '-' ? process.stdin : createReadStream(file)
  if (file !== '-') await once(input, 'open').catch((error: unknown) => Promise.reject(unusable(file, error)))
  const rows = await importInstallation(config, linesOf(input), file === '-' ? 'The export' : file)
  if (options.json) writeJson(rows)
  else sayOnStderr(`Imported ${summary(rows)}. Counts are the same and the books balance.`)
  return exitCodes.ok
}

/** Splits only at LF. `node:readline` also splits at U+2028 and U+2029, which JSON may contain. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  input.setEncoding('utf8')
  let begun = ''
  for await (const chunk of input) {
    const [first = '', ...lines] = String(chunk).split('\n')
    begun += first
    if (begun.length > lineLengthMax) throw new CommandFailure(exitCodes.failed, 'The export holds a line that is too long.')
    for (const line of lines) {
      yield begun
      begun = line
    }
  }
  yield begun
}

async function configOf(options: MoveOptions) {
  const { loadConfig } = await import('@framegate/server')
  return loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
}

function summary(rows: Readonly<Record<string, number>>): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${all} rows: ${rows['accounts']} accounts, ${rows['tasks']} tasks, ${rows['entries']} ledger entries`
}

function unusable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${file} cannot be used: ${(error as Error).message}`)
}
