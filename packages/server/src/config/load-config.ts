import type { Config, DatabaseConfig } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { ConfigError } from './config-error.ts'
import { commandLineNames, readEnvironment, settingNames, type Environment, type RawSettings, type SettingName } from './env.ts'
import { readMediaConfig } from './media-config.ts'
import type { Secret } from './secret.ts'
import { defaultThreadCount, threadsMax, threadsViolations } from './threads-setting.ts'
import { nearestName } from '../lib/nearest-name.ts'
import {
  allowedHosts,
  basePath,
  corsOrigins,
  endpoint,
  databaseUrl,
  folder,
  integerParser,
  listenHost,
  listenPort,
  oneOf,
  origin,
  secret,
  secretKey,
  ratioSetting,
  text,
  encryptionKey,
  InvalidSetting,
  type SettingParser,
} from './setting-parsers.ts'

const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds
const startDeadlineSecondsMax = 366 * daySeconds
const resultUrlTtlSecondsMax = 366 * daySeconds
const resultRetentionSecondsMax = 3660 * daySeconds
const taskRetentionMonthsMax = 1200
const deliveryRetentionSecondsMax = 366 * daySeconds
const renderSlotsMax = 64
const databasePoolUpperBound = 1_000
/** More than enough for a load balancer to notice a shutdown. */
const shutdownDelaySecondsMax = 300
/** Bounded, because each upload counts the account's assets. */
const assetsMaxUpperBound = 100_000
const assetBytesMaxUpperBound = 1024 ** 5

export interface ConfigSources {
  env: Environment
  /** Default folder of `framegate.yaml`, and base of relative paths in the environment. */
  cwd: string
  /** Settings from the command line, which take precedence over all others. */
  flags?: RawSettings
  /** Path of the file to use instead of `framegate.yaml`, from the command line. */
  configPath?: string | undefined
}

/**
 * Merges the settings. In ascending precedence: defaults, `framegate.yaml`, the environment, the
 * command line. Throws a `ConfigError` with all violations.
 */
export function loadConfig({ env, cwd, flags = {}, configPath }: ConfigSources): Config {
  const violations = findMisspelledNames(env)
  const file = readConfigFile({ env, cwd, configPath }, violations)
  let isInvalidOption = false
  const rawSettings = { ...file.settings, ...readEnvironment(env, cwd), ...flags }

  function read<T>(name: SettingName, parse: SettingParser<T>, fallback: T): T {
    const setting = rawSettings[name]
    if (setting === undefined) return fallback
    try {
      return parse(setting)
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      violations.push(`${setting.source}: ${error.message}.`)
      isInvalidOption ||= setting === flags[name]
      return fallback
    }
  }

  function readTraces(): Config['traces'] {
    const address = read<string | null>('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint, null)
    const headers = read<Secret | null>('OTEL_EXPORTER_OTLP_HEADERS', secret, null)
    const serviceName = read('OTEL_SERVICE_NAME', text, 'framegate')
    const ratio = read('OTEL_TRACES_SAMPLER_ARG', ratioSetting, 1)
    return address === null ? null : { endpoint: address, headers, serviceName, ratio }
  }

  const config: Config = {
    mode: read('FRAMEGATE_MODE', oneOf('development', 'production'), defaultMode(env)),
    role: read('FRAMEGATE_ROLE', oneOf('all', 'api', 'worker'), 'all'),
    threads: read('FRAMEGATE_THREADS', integerParser(1, threadsMax), 0),
    shutdownDelaySeconds: read('FRAMEGATE_SHUTDOWN_DELAY', integerParser(0, shutdownDelaySecondsMax, ' of seconds'), 0),
    host: read('FRAMEGATE_HOST', listenHost, '127.0.0.1'),
    port: read('FRAMEGATE_PORT', listenPort, 8787),
    basePath: read('FRAMEGATE_BASE_PATH', basePath, '/api'),
    publicUrl: read<string | null>('FRAMEGATE_PUBLIC_URL', origin, null),
    dataDir: read('FRAMEGATE_DATA_DIR', folder, folder({ text: 'data', source: '', baseDir: cwd })),
    bootstrapKey: read<Config['bootstrapKey']>('FRAMEGATE_BOOTSTRAP_KEY', secretKey, null),
    database: databaseConfig(
      read<Secret | null>('DATABASE_URL', databaseUrl, null),
      read('DATABASE_POOL', integerParser(1, databasePoolUpperBound), 8),
      read('DATABASE_MIGRATE', oneOf('start', 'command'), 'start') === 'start',
    ),
    encryptionKey: read<Secret | null>('FRAMEGATE_SEAL_KEY', encryptionKey, null),
    allowHosts: read('FRAMEGATE_ALLOW_HOSTS', allowedHosts, []),
    corsOrigins: read<Config['corsOrigins']>('FRAMEGATE_CORS_ORIGINS', corsOrigins, []),
    console: read('FRAMEGATE_CONSOLE', oneOf('on', 'off'), 'on') === 'on',
    startDeadlineSeconds: read('FRAMEGATE_START_DEADLINE', integerParser(1, startDeadlineSecondsMax, ' of seconds'), hourSeconds),
    resultUrlTtlSeconds: read('RESULT_URL_TTL', integerParser(1, resultUrlTtlSecondsMax, ' of seconds'), daySeconds),
    resultRetentionSeconds: read('RESULT_RETENTION', integerParser(1, resultRetentionSecondsMax, ' of seconds'), 7 * daySeconds),
    taskRetentionMonths: read<number | null>('TASK_RETENTION_MONTHS', integerParser(1, taskRetentionMonthsMax), null),
    deliveryRetentionSeconds: read(
      'FRAMEGATE_DELIVERY_RETENTION',
      integerParser(daySeconds, deliveryRetentionSecondsMax, ' of seconds'),
      30 * daySeconds,
    ),
    media: readMediaConfig(rawSettings, read, violations),
    routing: file.routing,
    assets: {
      assetsMax: read('FRAMEGATE_ASSETS_MAX', integerParser(0, assetsMaxUpperBound), 1_000),
      bytesMax: read('FRAMEGATE_ASSET_BYTES_MAX', integerParser(0, assetBytesMaxUpperBound, ' of bytes'), 1024 ** 3),
    },
    chat: {
      heartbeatSeconds: read('FRAMEGATE_CHAT_HEARTBEAT', integerParser(0, 300, ' of seconds'), 0),
      readOnSeconds: read('FRAMEGATE_CHAT_READ_ON', integerParser(0, 600, ' of seconds'), 30),
      waitSeconds: read('FRAMEGATE_CHAT_WAIT', integerParser(0, 300, ' of seconds'), 10),
    },
    logLevel: read('LOG_LEVEL', oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'), 'info'),
    metricsToken: read<Config['metricsToken']>('FRAMEGATE_METRICS_TOKEN', secretKey, null),
    traces: readTraces(),
    watermarkEncoder: read('FRAMEGATE_ENCODER', oneOf('auto', 'webcodecs', 'ffmpeg'), 'auto'),
    embedded: {
      slots: read<number | null>('FRAMEGATE_RENDER_SLOTS', integerParser(1, renderSlotsMax), null),
    },
  }
  if (config.threads === 0) config.threads = defaultThreadCount(config)
  if (violations.length === 0) violations.push(...threadsViolations(config, rawSettings.FRAMEGATE_THREADS?.source))
  if (violations.length === 0) violations.push(...roleViolations(config, rawSettings.FRAMEGATE_ROLE?.source))
  if (violations.length === 0) violations.push(...consoleViolations(config, rawSettings.FRAMEGATE_BASE_PATH?.source))
  if (violations.length > 0) throw new ConfigError(violations, { isInvalidOption })
  return config
}

function databaseConfig(url: Secret | null, poolMax: number, migratesAtStart: boolean): DatabaseConfig {
  return url === null ? { kind: 'sqlite' } : { kind: 'postgres', url, poolMax, migratesAtStart }
}

/** Checks that processes with separate roles can share a database and a bucket. */
function roleViolations({ role, database, media }: Config, source = 'FRAMEGATE_ROLE'): string[] {
  if (role === 'all') return []
  const missingSettings = [database.kind === 'sqlite' && 'DATABASE_URL', media.kind === 'disk' && 'S3_ENDPOINT'].filter(Boolean)
  if (missingSettings.length === 0) return []
  return [`${source}: ${role} requires a shared database and a shared bucket; also set ${missingSettings.join(' and ')}.`]
}

/** Checks that the API does not use the console's fixed path. */
function consoleViolations({ console, basePath: path }: Config, source = 'FRAMEGATE_BASE_PATH'): string[] {
  if (!console || !`${path}/`.startsWith('/console/')) return []
  return [
    `${source}: must not be /console or a path below it, which the console uses; set another path, or FRAMEGATE_CONSOLE=off.`,
  ]
}

/**
 * Returns the default mode. It follows NODE_ENV, which containers and process managers set for Node
 * services.
 */
function defaultMode(env: Environment): Config['mode'] {
  return env['NODE_ENV'] === 'production' ? 'production' : 'development'
}

// Reports misspelled names, which would otherwise be ignored. Only names that are similar to a
// setting are reported, because other programs may use variables with the same prefix.
function findMisspelledNames(env: Environment): string[] {
  const knownNames = [...settingNames, ...commandLineNames]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('FRAMEGATE_') || knownNames.includes(name) || !env[name]?.trim()) return []
    const suggestion = nearestName(name, knownNames, 2)
    return suggestion === undefined ? [] : [`${name}: is not a setting; did you mean ${suggestion}?`]
  })
}
