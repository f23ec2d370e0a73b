import type { Command } from 'commander'
import type { RawSettings, SettingName } from '@framegate/server'

/** Settings of the service that command-line options can override. */
export interface SettingOptions {
  host?: string
  port?: string
  basePath?: string
  publicUrl?: string
  dataDir?: string
  logLevel?: string
  role?: string
  config?: string
}

const settingByOption = {
  host: ['--host', 'FRAMEGATE_HOST'],
  port: ['--port', 'FRAMEGATE_PORT'],
  basePath: ['--base-path', 'FRAMEGATE_BASE_PATH'],
  publicUrl: ['--public-url', 'FRAMEGATE_PUBLIC_URL'],
  dataDir: ['--data-dir', 'FRAMEGATE_DATA_DIR'],
  logLevel: ['--log-level', 'LOG_LEVEL'],
  role: ['--role', 'FRAMEGATE_ROLE'],
} as const satisfies Partial<Record<keyof SettingOptions, readonly [flag: string, setting: SettingName]>>

export function addSettingOptions(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, reachable only from this machine)')
    .option('--port <number>', 'port to listen on; 0 selects any free port (default: 8787)')
    .option('--base-path <path>', 'prefix of all paths; `/` for none (default: /api)')
    .option('--public-url <origin>', 'origin of result URLs, if clients reach the service under another address')
    .option('--data-dir <folder>', 'folder for tasks and results (default: ./data)')
    .option('--config <file>', 'configuration file (default: `framegate.yaml`, if it exists)')
    .option('--role <role>', 'role of this process if several share a database: `api`, `worker` or `all` (default: all)')
    .option('--log-level <level>', '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace` (default: info)')
}

export function flagsOf(options: SettingOptions): RawSettings {
  const flags: RawSettings = {}
  for (const [option, [source, name]] of Object.entries(settingByOption)) {
    const text = options[option as keyof typeof settingByOption]?.trim()
    if (text) flags[name] = { text, source, baseDir: process.cwd() }
  }
  return flags
}

/**
 * Whether the error reports a wrong value of a command-line option, and not of the environment or
 * `framegate.yaml`. The error is recognized by its name, because the command line starts without
 * loading the class from the service.
 */
export function isInvalidOption(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfigError' && 'isInvalidOption' in error && error.isInvalidOption === true
}
