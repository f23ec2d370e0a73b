import { styleText } from 'node:util'
import type { Command } from 'commander'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { exitCodes } from '../exit-codes.ts'
import { watchForInterruption } from '../interruption.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeJson, writeLine } from '../terminal/write.ts'
import { flagsOf, type SettingOptions } from './setting-options.ts'

interface DoctorOptions extends ConnectionOptions, Pick<SettingOptions, 'host' | 'port' | 'dataDir' | 'config'> {
  render: boolean
  json?: true
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const
const statusWidth = 4
const nameWidth = 11

export function addDoctorCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('doctor')
    .summary('find out what keeps Framegate from working here')
    .description('Check this machine and the server, and say what to do about what is wrong.')
    .option('--host <address>', 'address that the service is to listen on (default: as with framegate serve)')
    .option('--port <number>', 'port that the service is to listen on (default: as with framegate serve)')
    .option('--data-dir <folder>', 'data folder of the service (default: as with framegate serve)')
    .option('--config <file>', 'configuration file of the service (default: framegate.yaml, when it is there)')
    .option('--no-render', 'leave out the last check, which makes a tiny film')
  addConnectionOptions(command)
    .option('--json', 'print status and checks, each with name, status, message and advice, as JSON')
    .action(async (options: DoctorOptions) => setExitCode(await doctor(options)))
  addExamples(
    command,
    [
      'framegate doctor',
      'framegate doctor --profile studio --no-render',
      `framegate doctor --json | jq '.checks[] | select(.status != "ok")'`,
    ],
    `It checks Node, the settings, the server, the API key, the clock, the profiles, the data folder, the bucket where media are
kept in S3, the port, the encoder, and makes a tiny film in a temporary folder. It ends with 1 when a check fails; a warning is no failure.`,
  )
}

async function doctor(options: DoctorOptions): Promise<number> {
  using interruption = watchForInterruption()
  const { signal } = interruption
  try {
    const checks = await examine({
      connection: options,
      loadConfig: async () => {
        const { loadConfig } = await import('@framegate/server')
        return loadConfig({ env: process.env, cwd: process.cwd(), flags: flagsOf(options), configPath: options.config })
      },
      withRender: options.render,
      signal,
      onFinding: (finding) => void (options.json || show(finding)),
    })
    const statuses = new Set(checks.map(({ status }) => status))
    const status = (['fail', 'warn', 'ok'] as const).find((one) => statuses.has(one)) ?? 'ok'
    if (options.json) writeJson({ status, checks })
    return status === 'fail' ? exitCodes.failed : exitCodes.ok
  } catch (error) {
    if (signal.aborted) return interruption.exitCode
    throw error
  }
}

function show({ name, status, message, advice }: Finding): void {
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const lines = message.split('\n').join(`\n${indent}`)
  writeLine(`${styleText(colours[status], status.padEnd(statusWidth))}  ${name.replace('_', ' ').padEnd(nameWidth)}  ${lines}`)
  if (advice !== null) writeLine(`${indent}→ ${advice}`)
}
