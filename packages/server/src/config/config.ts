import type { MediaConfig } from './media-config.ts'
import type { RoutingFile } from './routing-file.ts'
import type { Secret } from './secret.ts'

export type DatabaseConfig =
  /** In the data folder. */
  | { kind: 'sqlite' }
  | {
      kind: 'postgres'
      url: Secret
      /** Connections that read, beside the two that write and listen. */
      poolMax: number
      /** Whether a start brings the tables up to date, or only `framegate migrate` does. */
      migratesAtStart: boolean
    }

export type Role = 'all' | 'api' | 'worker'

/** What every setting means, after defaults, `framegate.yaml` and the environment. Names: contract, Settings. */
export interface Config {
  /** `simulate` is for development; production refuses it. */
  mode: 'development' | 'production'
  /** What this process does: answers requests, works on tasks, or both. */
  role: Role
  /** How long it goes on answering after it was told to stop, for load balancers to notice. */
  shutdownDelaySeconds: number
  host: string
  /** 0 picks a free port. */
  port: number
  /** Starts with a slash and does not end with one; empty for none. */
  basePath: string
  /** Origin used in result URLs; null means the address that the service listens on. */
  publicUrl: string | null
  /** Absolute. */
  dataDir: string
  bootstrapKey: Secret | null
  database: DatabaseConfig
  /** What credentials in the database are sealed with; null: what the data folder holds. */
  sealKey: Secret | null
  /** Addresses that the guarded fetch may dial although they are private. */
  allowHosts: string[]
  /** Origins whose pages may call the interface from a browser; '*' for every one, empty for none. */
  corsOrigins: '*' | string[]
  /** How long a task may wait to be started, from the moment that it could be. */
  startDeadlineSeconds: number
  resultUrlTtlSeconds: number
  resultRetentionSeconds: number
  media: MediaConfig
  /** Not yet held against the catalogue and the drivers (`routing/`). */
  routing: RoutingFile
  /** Of one account. */
  assets: { assetsMax: number; bytesMax: number }
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Opens `/metrics`; null: this machine alone may read them, in production nobody. */
  metricsToken: Secret | null
  /** Null: none are made. */
  traces: TracesConfig | null
  embedded: {
    /** The permissively licensed way is `ffmpeg` (docs/licences.md). */
    encoder: 'webcodecs' | 'ffmpeg'
    /** Films rendered at the same time; null decides by the number of cores. */
    slots: number | null
  }
}

/** Names and meanings are OpenTelemetry's. */
export interface TracesConfig {
  /** Without the path of the signal. */
  endpoint: string
  /** `name=value,name=value` */
  headers: Secret | null
  serviceName: string
  /** Of traces that are sent, 0 to 1. */
  ratio: number
}
