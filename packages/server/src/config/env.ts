/**
 * All settings by the names of their environment variables, with their primitive types. In
 * `framegate.yaml`, a setting has the same name in lower case and without `FRAMEGATE_`:
 * `FRAMEGATE_DATA_DIR` is `data_dir`, `LOG_LEVEL` is `log_level`.
 */
export const settingTypes = {
  FRAMEGATE_MODE: 'text',
  FRAMEGATE_HOST: 'text',
  FRAMEGATE_PORT: 'integer',
  FRAMEGATE_ROLE: 'text',
  FRAMEGATE_THREADS: 'integer',
  FRAMEGATE_SHUTDOWN_DELAY: 'integer',
  FRAMEGATE_BASE_PATH: 'text',
  FRAMEGATE_PUBLIC_URL: 'text',
  FRAMEGATE_DATA_DIR: 'text',
  FRAMEGATE_BOOTSTRAP_KEY: 'secret',
  FRAMEGATE_ALLOW_HOSTS: 'list',
  FRAMEGATE_CORS_ORIGINS: 'list',
  FRAMEGATE_CONSOLE: 'text',
  FRAMEGATE_ENCODER: 'text',
  FRAMEGATE_RENDER_SLOTS: 'integer',
  FRAMEGATE_START_DEADLINE: 'integer',
  FRAMEGATE_CHAT_HEARTBEAT: 'integer',
  FRAMEGATE_CHAT_READ_ON: 'integer',
  FRAMEGATE_CHAT_WAIT: 'integer',
  FRAMEGATE_ASSETS_MAX: 'integer',
  FRAMEGATE_ASSET_BYTES_MAX: 'integer',
  FRAMEGATE_DELIVERY_RETENTION: 'integer',
  FRAMEGATE_METRICS_TOKEN: 'secret',
  FRAMEGATE_SEAL_KEY: 'secret',
  DATABASE_URL: 'secret',
  DATABASE_POOL: 'integer',
  DATABASE_MIGRATE: 'text',
  RESULT_URL_TTL: 'integer',
  RESULT_RETENTION: 'integer',
  TASK_RETENTION_MONTHS: 'integer',
  S3_ENDPOINT: 'text',
  S3_BUCKET: 'text',
  S3_REGION: 'text',
  S3_CREDENTIALS: 'text',
  S3_ACCESS_KEY_ID: 'text',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_ADDRESSING: 'text',
  S3_PREFIX: 'text',
  S3_DELIVERY: 'text',
  S3_PUBLIC_URL: 'text',
  LOG_LEVEL: 'text',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'text',
  OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  OTEL_SERVICE_NAME: 'text',
  OTEL_TRACES_SAMPLER_ARG: 'text',
} as const

export type SettingName = keyof typeof settingTypes

export const settingNames = Object.keys(settingTypes) as SettingName[]

/** Environment variables of the command line that are not settings. */
export const commandLineNames = ['FRAMEGATE_CONFIG', 'FRAMEGATE_URL', 'FRAMEGATE_API_KEY']

export function fileKeyOf(name: string): string {
  return name.replace(/^FRAMEGATE_/, '').toLowerCase()
}

/** The unparsed value of a setting. */
export interface RawSetting {
  text: string
  /**
   * Source of the value, for error messages: `FRAMEGATE_PORT`, `--port`, `port in framegate.yaml`.
   */
  source: string
  /** Base of relative paths. */
  baseDir: string
}

export type RawSettings = Partial<Record<SettingName, RawSetting>>
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from the environment. An empty value counts as absent, so with an empty
 * `FRAMEGATE_PORT`, the service uses the default port.
 */
export function readEnvironment(env: Environment, cwd: string): RawSettings {
  const rawSettings: RawSettings = {}
  for (const name of settingNames) {
    const text = env[name]?.trim()
    if (text) rawSettings[name] = { text, source: name, baseDir: cwd }
  }
  return rawSettings
}
