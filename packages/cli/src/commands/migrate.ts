import type { Command } from 'commander'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeJson, writeLine, writeToStderr } from '../terminal/write.ts'
import { flagsOf } from './setting-options.ts'

interface MigrateOptions {
  config?: string
  json?: true
}

export function addMigrateCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('migrate')
    .summary('migrate the PostgreSQL database to the current schema')
    .description(
      'Migrate the PostgreSQL database in `DATABASE_URL` to the current schema, while the service runs or before it starts.',
    )
    .option('--config <file>', 'configuration file (default: `framegate.yaml`, if it exists)')
    .option(
      '--json',
      'print `database`, `applied` (migrations applied by this run) and `unknown` (migrations of a newer version) as JSON',
    )
    .action(async (options: MigrateOptions) => setExitCode(await migrate(options)))
  addExamples(
    command,
    ['framegate migrate'],
    `The service also migrates the database at each start, unless \`DATABASE_MIGRATE=command\`. Processes of
the previous version keep working after a migration. Migrations cannot be undone. Concurrent migrations run one after the other.`,
  )
}

async function migrate(options: MigrateOptions): Promise<number> {
  const { loadConfig, migrateDatabase } = await import('@framegate/server')
  const config = loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
  const migrated = await migrateDatabase(config, (migration) =>
    writeToStderr(`The migration ${migration} waits for the end of another transaction, such as that of pg_dump.`),
  )
  if (options.json) writeJson(migrated ?? { database: null, applied: [], unknown: [] })
  else if (migrated === null) writeLine('DATABASE_URL is not set, so the service uses SQLite and migrates it at each start.')
  else {
    const { database, applied, unknown } = migrated
    for (const name of applied) writeLine(`applied ${name}`)
    if (applied.length === 0) writeLine(`${database} is up to date.`)
    if (unknown.length > 0) writeLine(`A newer version has applied further migrations: ${unknown.join(', ')}.`)
  }
  return exitCodes.ok
}
