import type { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addAccountsCommand } from './commands/accounts.ts'
import { addApplyCommand } from './commands/apply.ts'
import { addAssetsCommand } from './commands/assets.ts'
import { addAttemptsCommand } from './commands/attempts.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addBrandsCommand } from './commands/brands.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addCreditsCommand } from './commands/credits.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addEnhanceCommand } from './commands/enhance.ts'
import { addGenerateCommand } from './commands/generate.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addListenCommand } from './commands/listen.ts'
import { addLogCommand } from './commands/log.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addMediaCommand } from './commands/media.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addModelsCommand } from './commands/models.ts'
import { addExportCommand, addImportCommand } from './commands/move.ts'
import { addOverviewCommand } from './commands/overview.ts'
import { addPricesCommand } from './commands/prices.ts'
import { addProfilesCommand } from './commands/profiles.ts'
import { addQuoteCommand } from './commands/quote.ts'
import { addRoutesCommand } from './commands/routes.ts'
import { addServeCommand } from './commands/serve.ts'
import { addTasksCommand } from './commands/tasks.ts'
import { addUpstreamsCommand } from './commands/upstreams.ts'
import { addUsageCommand } from './commands/usage.ts'
import { addWebhooksCommand } from './commands/webhooks.ts'
import { exitCodeMeanings } from './exit-codes.ts'
import { FramegateCommand } from './terminal/command.ts'
import { addExamples } from './terminal/examples.ts'

type AddCommand = (program: Command, setExitCode: (code: number) => void) => void

/** All commands, in the order in which the help lists them. */
const commands: Readonly<Record<string, AddCommand>> = {
  serve: addServeCommand,
  generate: addGenerateCommand,
  enhance: addEnhanceCommand,
  tasks: addTasksCommand,
  assets: addAssetsCommand,
  models: addModelsCommand,
  quote: addQuoteCommand,
  usage: addUsageCommand,
  webhooks: addWebhooksCommand,
  listen: addListenCommand,
  mcp: addMcpCommand,
  overview: addOverviewCommand,
  audit: addAuditCommand,
  log: addLogCommand,
  brands: addBrandsCommand,
  accounts: addAccountsCommand,
  keys: addKeysCommand,
  credits: addCreditsCommand,
  prices: addPricesCommand,
  apply: addApplyCommand,
  upstreams: addUpstreamsCommand,
  routes: addRoutesCommand,
  attempts: addAttemptsCommand,
  profiles: addProfilesCommand,
  backup: addBackupCommand,
  media: addMediaCommand,
  migrate: addMigrateCommand,
  export: addExportCommand,
  import: addImportCommand,
  doctor: addDoctorCommand,
  completion: addCompletionCommand,
}

export interface ProgramOptions {
  /** Whether this program writes error messages to stderr. Default: true. */
  writesOwnErrors?: boolean
  /**
   * First command-line argument. If it names a command other than `completion`, only that command
   * is created: creating all of them takes a tenth of the time of a short command.
   */
  firstArgument?: string | undefined
}

/** Creates the commands with their help. A command that needs the service loads it when it runs. */
export function createProgram(
  setExitCode: (code: number) => void,
  { writesOwnErrors = true, firstArgument = '' }: ProgramOptions = {},
): Command {
  const program = new FramegateCommand('framegate')
    .description(packageJson.description)
    .version(packageJson.version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput(writesOwnErrors ? {} : { outputError: () => {} })
  addExamples(program, examples, notes)
  const namedCommand =
    Object.hasOwn(commands, firstArgument) && firstArgument !== 'completion' ? commands[firstArgument] : undefined
  for (const addCommand of namedCommand === undefined ? Object.values(commands) : [namedCommand]) addCommand(program, setExitCode)
  return program
}

const examples = [
  'framegate serve',
  'framegate generate "a red fox in the snow at dusk" -o fox.mp4',
  'framegate generate "an oil painting of a lighthouse" -o lighthouse.png --open',
]

const notes = `\`framegate COMMAND --help\` shows the options of a command. \`docs/cli.md\` describes all commands.

Exit codes:
${exitCodeMeanings.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`).join('\n')}`
