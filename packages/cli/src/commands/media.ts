import type { Command } from 'commander'
import type { DamagedFile, MediaProgress } from '@framegate/server'
import { exitCodes } from '../exit-codes.ts'
import { watchForInterruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { createProgressLine, percentOf } from '../terminal/progress-line.ts'
import { writeToStderr, writeJson, writeLine } from '../terminal/write.ts'
import { flagsOf, type SettingOptions } from './setting-options.ts'

interface VerifyOptions extends Pick<SettingOptions, 'dataDir' | 'config'> {
  json?: true
}

/**
 * Maximum number of damaged files in the JSON list. The field `damaged` counts all of them.
 */
const listedFilesMax = 1_000

export function addMediaCommand(program: Command, setExitCode: (code: number) => void): void {
  const media = program
    .command('media')
    .summary('check the files of results and assets')
    .description('Check the files of results and assets.')
    .helpCommand(false)
  addExamples(media, ['framegate media verify'])
  const verify = media
    .command('verify')
    .description('Compare the size and SHA-256 of every result and asset with the database.')
    .option('--data-dir <folder>', 'data folder of the service (default: as in `framegate serve`)')
    .option('--config <file>', 'configuration file of the service (default: `framegate.yaml`, if it exists)')
    .option(
      '--json',
      `print \`files\`, \`bytes\`, \`damaged\`, \`complete\` and \`found\` (up to ${listedFilesMax} of the damaged files) as JSON`,
    )
    .action(async (options: VerifyOptions) => setExitCode(await verifyFiles(options)))
  addExamples(
    verify,
    ['framegate media verify', "framegate media verify --json | jq '.found[].file'"],
    `Run the command on the machine of the service, as the service's user. The service may be running. The command reads all
files from the data folder or from S3, one after the other, and changes none. It skips expired results and deleted assets. The
exit code is 1 if a file is missing, unreadable, or has a different size or different contents. Ctrl-C stops the command and
prints the findings so far.`,
  )
}

async function verifyFiles(options: VerifyOptions): Promise<number> {
  const { loadConfig, verifyMedia } = await import('@framegate/server')
  const config = loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
  using interruption = watchForInterruption()
  const { signal } = interruption
  const damagedFiles: DamagedFile[] = []
  using display = createProgressLine(process.stderr)
  const progress = await verifyMedia(config, {
    signal,
    onProgress: (progress) => display.show(() => describeProgress(progress)),
    onDamaged(damaged) {
      if (options.json) {
        if (damagedFiles.length < listedFilesMax) damagedFiles.push(damaged)
        return
      }
      display.clear()
      writeLine(`${damaged.file}  ${describeDamage(damaged)}`)
    },
  })
  display.clear()
  const { files, bytes, filesTotal, damaged } = progress
  const isComplete = !signal.aborted
  if (options.json) writeJson({ files, bytes, damaged, complete: isComplete, found: damagedFiles.map(fieldsOf) })
  else
    writeToStderr(
      `${isComplete ? '' : 'Interrupted: '}${files} of ${filesTotal} files (${bytes} bytes) were read, ${damaged} are damaged.`,
    )
  if (!isComplete) return interruption.exitCode
  return damaged === 0 ? exitCodes.ok : exitCodes.failed
}

function fieldsOf({ file, of, problem, recordedBytes, foundBytes }: DamagedFile) {
  return { file, ...of, problem, recorded_bytes: recordedBytes, found_bytes: foundBytes }
}

function describeDamage({ problem, recordedBytes, foundBytes }: DamagedFile): string {
  switch (problem) {
    case 'missing':
      return 'is missing'
    case 'size':
      return `has ${foundBytes} bytes instead of ${recordedBytes}`
    case 'content':
      return `has the recorded size (${recordedBytes} bytes) but different contents`
    case 'unreadable':
      return 'cannot be read'
    default:
      return problem satisfies never
  }
}

function describeProgress({ files, bytes, filesTotal, bytesTotal, damaged }: MediaProgress): string {
  return `${files} of ${filesTotal} files, ${percentOf(bytes, bytesTotal)} % of ${bytesTotal} bytes, ${damaged} damaged`
}
