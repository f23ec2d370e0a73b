import type { MediaConfig } from './media-config.ts'
import type { RoutingFile } from './routing-file.ts'
import type { Secret } from './secret.ts'

export type DatabaseConfig =
  /** In the data folder. */
  | { kind: 'sqlite' }
  | {
      kind: 'postgres'
      url: Secret
      /** Connections for reads, in addition to the two that write and listen. */
      poolMax: number
      /** Whether a start migrates the tables, or only `framegate migrate` does. */
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
  /** Time to continue serving after the signal to stop, so that load balancers can notice. */
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
  /** Key that encrypts credentials in the database; null means the key in the data folder. */
  encryptionKey: Secret | null
  /** Private addresses that the guarded fetch may dial. It refuses all others. */
  allowHosts: string[]
  /** Origins whose pages may call the API from a browser; '*' for all, empty for none. */
  corsOrigins: '*' | string[]
  /**
   * Time that a task may wait for its start, counted from the moment when it could first be
   * claimed.
   */
  startDeadlineSeconds: number
  resultUrlTtlSeconds: number
  resultRetentionSeconds: number
  /** Time for which deliveries to webhooks are kept. */
  deliveryRetentionSeconds: number
  media: MediaConfig
  /** Not yet checked against the catalogue and the drivers (`routing/`). */
  routing: RoutingFile
  /** Limits of one account. */
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
   * Encoder for the videos of upstreams that the service adds a watermark to (docs/licences.md).
   */
  watermarkEncoder: 'auto' | 'webcodecs' | 'ffmpeg'
  embedded: {
    /** Videos rendered at the same time; null: derived from the number of cores. */
    slots: number | null
  }
}

export interface ChatConfig {
  /** Interval of comments in a silent stream; 0: none. */
  heartbeatSeconds: number
  /** How long a response is read on for its usage after the client has disconnected. */
  readOnSeconds: number
  /** How long a request waits for a free slot of a route. */
  waitSeconds: number
}

/** Names and meanings are OpenTelemetry's. */
export interface TracesConfig {
  /** Without the path that OTLP adds for traces. */
  endpoint: string
  /** `name=value,name=value` */
  headers: Secret | null
  serviceName: string
  /** Share of traces that are sent, 0 to 1. */
  ratio: number
}
