import { styleText } from 'node:util'
import type { Command } from 'commander'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { runChecks } from '../doctor/run-checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { exitCodes } from '../exit-codes.ts'
import { watchForInterruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { outputWidth } from '../terminal/output-width.ts'
import { wrappedLines } from '../terminal/text-width.ts'
import { writeJson, writeLine } from '../terminal/write.ts'
import { flagsOf, isInvalidOption, type SettingOptions } from './setting-options.ts'

interface DoctorOptions extends ConnectionOptions, Pick<SettingOptions, 'host' | 'port' | 'dataDir' | 'config'> {
  render: boolean
  json?: true
}

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const
const statusWidth = 4
const nameWidth = 11
const textWidthMin = 20

export function addDoctorCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('doctor')
    .summary('diagnose problems with this machine and the server')
    .description('Check this machine and the server, and give advice for every problem.')
    .option('--host <address>', 'address that the service listens on (default: as in `framegate serve`)')
    .option('--port <number>', 'port that the service listens on (default: as in `framegate serve`)')
    .option('--data-dir <folder>', 'data folder of the service (default: as in `framegate serve`)')
    .option('--config <file>', 'configuration file of the service (default: `framegate.yaml`, if it exists)')
    .option('--no-render', 'skip the last check, which renders a tiny video')
  addConnectionOptions(command)
    .option('--json', 'print `status` and `checks` as JSON, each check with `name`, `status`, `message` and `advice`')
    .action(async (options: DoctorOptions) => setExitCode(await doctor(options)))
  addExamples(
    command,
    [
      'framegate doctor',
      'framegate doctor --profile studio --no-render',
      `framegate doctor --no-render --json | jq '.checks[] | select(.status != "ok")'`,
    ],
    `The command checks Node, the settings, the server, the API key, the clock, the readiness of the server, the profiles, the data
folder, the database, tasks with a time in the future, the media store of other processes if the database is PostgreSQL, the
bucket if media are in S3, the port, the encoder and the decoder. It then renders a tiny video in a temporary folder. Checks that
write to a folder, the database or the bucket remove what they wrote. The exit code is 1 if a check fails, and 0 if there are only warnings.`,
  )
}

async function doctor(options: DoctorOptions): Promise<number> {
  using interruption = watchForInterruption()
  const { signal } = interruption
  const loadConfig = async () => {
    const server = await import('@framegate/server')
    return server.loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
  }
  // Invalid settings from the environment or the file are reported by a check.
  await loadConfig().catch((error: unknown) => {
    if (isInvalidOption(error)) throw error
  })
  try {
    const checks = await runChecks({
      connection: options,
      loadConfig,
      withRender: options.render,
      signal,
      onFinding: (finding) => void (options.json || show(finding)),
    })
    const statuses = new Set(checks.map(({ status }) => status))
    const status = (['fail', 'warn', 'ok'] as const).find((candidate) => statuses.has(candidate)) ?? 'ok'
    if (options.json) writeJson({ status, checks })
    return status === 'fail' ? exitCodes.failed : exitCodes.ok
  } catch (error) {
    if (signal.aborted) return interruption.exitCode
    throw error
  }
}

function show({ name, status, message, advice }: Finding): void {
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const width = Math.max(textWidthMin, outputWidth() - indent.length)
  const indented = (text: string) =>
    text
      .split('\n')
      .flatMap((line) => wrappedLines(line, width))
      .join(`\n${indent}`)
  const title = `${styleText(colors[status], status.padEnd(statusWidth))}  ${name.replace('_', ' ').padEnd(nameWidth)}`
  writeLine(`${title}  ${indented(message)}`)
  if (advice !== null) writeLine(`${indent}${indented(`→ ${advice}`)}`)
}
