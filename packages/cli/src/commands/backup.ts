import path from 'node:path'
import type { Command } from 'commander'
import { exitCodes } from '../exit-codes.ts'
import { watchForInterruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeToStderr, writeJson, writeLine } from '../terminal/write.ts'
import { flagsOf, type SettingOptions } from './setting-options.ts'

interface BackupOptions extends Pick<SettingOptions, 'dataDir' | 'config'> {
  json?: true
}

export function addBackupCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('backup')
    .summary('copy an installation, even while it runs')
    .description(
      'Copy the database, the key that encrypts credentials, and the files of results and assets into a new folder. The copy ' +
        'includes results that are not in the media store yet.',
    )
    .argument('<folder>', 'folder for the copy; it must be empty or not exist yet')
    .option('--data-dir <folder>', 'data folder of the service (default: as in `framegate serve`)')
    .option('--config <file>', 'configuration file of the service (default: `framegate.yaml`, if it exists)')
    .option('--json', 'print `folder`, `database_bytes`, `files` and `file_bytes` as JSON')
    .action(async (folder: string, options: BackupOptions) => setExitCode(await backupInto(folder, options)))
  addExamples(
    command,
    ['framegate backup /backups/$(date +%F)', 'framegate backup ./copy --data-dir /var/lib/framegate --json'],
    notes,
  )
}

const notes = `Run the command on the machine of the service, as the user of the service. The copy is a data folder:
\`framegate serve --data-dir COPY\` starts a service with it. Protect the copy like the original. Media in S3 are not copied.`

async function backupInto(folder: string, options: BackupOptions): Promise<number> {
  const { backUp, loadConfig } = await import('@framegate/server')
  const config = loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
  const target = path.resolve(folder)
  using interruption = watchForInterruption()
  const { signal } = interruption
  const report = await backUp(config, target, signal).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  if (report === null) {
    writeToStderr('Interrupted. The incomplete copy is removed.')
    return interruption.exitCode
  }
  const { databaseBytes, files, fileBytes } = report
  if (options.json) writeJson({ folder: target, database_bytes: databaseBytes, files, file_bytes: fileBytes })
  else {
    writeLine(target)
    writeToStderr(`Copied the database (${databaseBytes} bytes) and ${files} files (${fileBytes} bytes).`)
    if (config.media.kind === 's3')
      writeToStderr(`Results and assets are in the bucket ${config.media.bucket}, which is not copied.`)
  }
  return exitCodes.ok
}
