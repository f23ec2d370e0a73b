import type { MediaConfig } from './media-config.ts'
import type { RoutingFile } from './routing-file.ts'
import type { Secret } from './secret.ts'

export type DatabaseConfig =
  /** SQLite: a database file in the data folder. */
  | { kind: 'sqlite' }
  | {
      kind: 'postgres'
      url: Secret
      /**
       * Number of connections for reads, in addition to one for writes and one for notifications.
       */
      poolMax: number
      /**
       * Whether the service migrates the tables at start-up. If false, only `framegate migrate`
       * does.
       */
      migratesAtStart: boolean
    }

export type Role = 'all' | 'api' | 'worker'

/**
 * All settings, merged from defaults, `framegate.yaml`, the environment and the command line.
 * `env.ts` lists their names.
 */
export interface Config {
  /** In production mode, requests with the field `simulate` are rejected. */
  mode: 'development' | 'production'
  /** Whether this process serves the API, works on tasks, or both. */
  role: Role
  /** Number of threads that serve requests, including the main thread. */
  threads: number
  /**
   * Time for which the service continues to serve requests after the signal to stop, until load
   * balancers have noticed.
   */
  shutdownDelaySeconds: number
  host: string
  /** 0: a free port. */
  port: number
  /** Path prefix of the API. It starts with a slash and does not end with one, or is empty. */
  basePath: string
  /** Origin of result URLs. Null: the address on which the service listens. */
  publicUrl: string | null
  /** Absolute path. */
  dataDir: string
  bootstrapKey: Secret | null
  database: DatabaseConfig
  /** Key that encrypts credentials in the database. Null: the key in the data folder. */
  encryptionKey: Secret | null
  /** Private addresses to which the guarded fetch may connect. It blocks all other private ones. */
  allowHosts: string[]
  /** Origins of web pages that may call the API. `*`: all origins. Empty: none. */
  corsOrigins: '*' | string[]
  /** Whether this process serves the console. */
  console: boolean
  /**
   * Maximum time that a task may wait for its start, after the first moment at which a worker could
   * claim it.
   */
  startDeadlineSeconds: number
  resultUrlTtlSeconds: number
  resultRetentionSeconds: number
  /**
   * Number of whole months (UTC) after a task's month of creation for which the task is kept. Null:
   * forever.
   */
  taskRetentionMonths: number | null
  /** Retention of webhook deliveries. */
  deliveryRetentionSeconds: number
  media: MediaConfig
  /**
   * Upstreams, routes and models of the configuration file and of model files. They are validated
   * later, against the catalogue and the drivers.
   */
  routing: RoutingFile
  /** Limits on the assets of one account. */
  assets: { assetsMax: number; bytesMax: number }
  /** Settings for requests to token models. */
  chat: ChatConfig
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /**
   * Token for `/metrics`. Null: in development mode only clients on this machine may read it, and
   * in production mode no client may.
   */
  metricsToken: Secret | null
  /** Null disables traces. */
  traces: TracesConfig | null
  /** Encoder for upstream videos to which the service adds a watermark (docs/licenses.md). */
  watermarkEncoder: 'auto' | 'webcodecs' | 'ffmpeg'
  embedded: {
    /**
     * Maximum number of videos that are rendered at the same time. Null: derived from the number of
     * cores.
     */
    slots: number | null
  }
}

export interface ChatConfig {
  /** Interval of heartbeat comments in a silent stream. 0: no heartbeats. */
  heartbeatSeconds: number
  /**
   * Maximum time for which the service reads a response after the client has disconnected. The
   * token usage is at the end of a response.
   */
  readOnSeconds: number
  /** Maximum time for which a request waits for a free slot of a route. */
  waitSeconds: number
}

/** Settings of traces, with the names and meanings that OpenTelemetry defines. */
export interface TracesConfig {
  /** URL without the path that OTLP adds for traces. */
  endpoint: string
  /** Headers in the form `name=value,name=value`. */
  headers: Secret | null
  serviceName: string
  /** Fraction of traces that are sent, from 0 to 1. */
  ratio: number
}
