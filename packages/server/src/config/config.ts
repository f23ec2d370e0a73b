import type { MediaConfig } from './media-config.ts'
import type { RoutingFile } from './routing-file.ts'
import type { Secret } from './secret.ts'

export type DatabaseConfig =
  /** A database file in the data folder. */
  | { kind: 'sqlite' }
  | {
      kind: 'postgres'
      url: Secret
      /**
       * Number of connections for reads, in addition to one for writes and one for notifications.
       */
      poolMax: number
      /**
       * Whether the start of the service migrates the tables. If not, only `framegate migrate`
       * does.
       */
      migratesAtStart: boolean
    }

export type Role = 'all' | 'api' | 'worker'

/**
 * All settings after defaults, `framegate.yaml`, the environment and the command line. `env.ts`
 * lists their names.
 */
export interface Config {
  /** Production mode refuses the field `simulate` of requests. */
  mode: 'development' | 'production'
  /** Whether this process serves requests, works on tasks, or both. */
  role: Role
  /** Number of threads that serve requests, including the main thread. */
  threads: number
  /** Time to continue serving after the signal to stop, so that load balancers can notice. */
  shutdownDelaySeconds: number
  host: string
  /** 0 picks a free port. */
  port: number
  /** Path prefix of the API. It starts with a slash and does not end with one, or is empty. */
  basePath: string
  /** Origin used in result URLs; null means the address that the service listens on. */
  publicUrl: string | null
  /** Absolute path. */
  dataDir: string
  bootstrapKey: Secret | null
  database: DatabaseConfig
  /** Key that encrypts credentials in the database; null means the key in the data folder. */
  encryptionKey: Secret | null
  /** Private addresses that the guarded fetch may dial. It refuses all others. */
  allowHosts: string[]
  /** Origins whose pages may call the API from a browser; '*' for all, empty for none. */
  corsOrigins: '*' | string[]
  /** Whether this process serves the console. */
  console: boolean
  /**
   * Time that a task may wait for its start, counted from the moment when it could first be
   * claimed.
   */
  startDeadlineSeconds: number
  resultUrlTtlSeconds: number
  resultRetentionSeconds: number
  /** Number of whole months (UTC) after its own for which a task is kept. Null: forever. */
  taskRetentionMonths: number | null
  /** Time for which deliveries to webhooks are kept. */
  deliveryRetentionSeconds: number
  media: MediaConfig
  /** Upstreams and routes, not yet validated against the catalogue and the drivers (`routing/`). */
  routing: RoutingFile
  /** Limits on the assets of one account. */
  assets: { assetsMax: number; bytesMax: number }
  /** Requests for models that are priced by tokens. */
  chat: ChatConfig
  logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /**
   * Token for `/metrics`. Without a token, development mode allows clients on this machine, and
   * production mode refuses all clients.
   */
  metricsToken: Secret | null
  /** Null disables traces. */
  traces: TracesConfig | null
  /**
   * Encoder for videos of upstreams to which the service adds a watermark (docs/licences.md).
   */
  watermarkEncoder: 'auto' | 'webcodecs' | 'ffmpeg'
  embedded: {
    /** Number of videos rendered at the same time. Null derives it from the number of cores. */
    slots: number | null
  }
}

export interface ChatConfig {
  /** Interval of comments in a silent stream. 0 means no comments. */
  heartbeatSeconds: number
  /** Time for which a response is read for its usage after the client has disconnected. */
  readOnSeconds: number
  /** Maximum time for which a request waits for a free slot of a route. */
  waitSeconds: number
}

/** Settings of traces. OpenTelemetry defines their names and meanings. */
export interface TracesConfig {
  /** URL without the path that OTLP adds for traces. */
  endpoint: string
  /** Header fields in the form `name=value,name=value`. */
  headers: Secret | null
  serviceName: string
  /** Share of traces that are sent, from 0 to 1. */
  ratio: number
}
