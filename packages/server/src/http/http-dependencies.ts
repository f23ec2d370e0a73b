import type { Assets } from '../assets/assets.ts'
import type { ApiKeys } from '../auth/api-keys.ts'
import type { Brands } from '../brands/brands.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { IsAllowedHost } from '../catalogue/reference-violations.ts'
import type { Config } from '../config/config.ts'
import type { LedgerCheck } from '../credits/ledger-check.ts'
import type { Prices } from '../credits/prices.ts'
import type { Store } from '../db/store.ts'
import type { AccountErasure } from '../deletion/account-erasure.ts'
import type { TaskDeletion } from '../deletion/task-deletion.ts'
import type { Forwarding } from '../forwarding/forwarding.ts'
import type { ModelImporter } from '../importing/model-importer.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { LogTail } from '../lib/log-tail.ts'
import type { DecodeImageFile } from '../media/decode-image-file.ts'
import type { OperatorModels } from '../models/operator-models.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import type { Previews } from '../previews/previews.ts'
import type { Readiness } from '../readiness/readiness.ts'
import type { Callbacks } from '../routing/callbacks.ts'
import type { OperatorRouting } from '../routing/configuration/operator-routing.ts'
import type { Routes } from '../routing/routes.ts'
import type { Feeds } from '../events/feed.ts'
import type { Streams } from './streams/streams.ts'
import type { EffectiveModels } from '../tasks/effective-models.ts'
import type { TaskRoutes } from '../tasks/require-route.ts'
import type { TaskViews } from '../tasks/task-view.ts'
import type { TaskWaiters } from '../tasks/wait-for-task.ts'
import type { IncomingMemory } from './bodies/incoming-memory.ts'
import type { SharedBodyLimits } from './bodies/json-body.ts'
import type { ConsoleServices } from './console/console-services.ts'
import type { ModelViews } from './model-views.ts'
import type { LargeFiles } from './responses/large-files.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { TransferPace } from './connections/transfer-pace.ts'

/** Renders the current metrics in the Prometheus text format. */
export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

/** The operations of this process's HTTP threads that the main thread calls. */
export interface OtherThreads {
  /** Resolves when all HTTP threads have applied the operators' committed changes. */
  applyConfigChanges(): Promise<void>
  /**
   * Resolves when all HTTP threads have stopped listening and have responded to all requests. They
   * pass some of these requests to the main thread.
   */
  drain(connectionGraceMs: number): Promise<void>
}

export interface AppDependencies {
  config: Pick<
    Config,
    'mode' | 'host' | 'basePath' | 'resultUrlTtlSeconds' | 'allowHosts' | 'corsOrigins' | 'metricsToken' | 'role' | 'chat'
  >
  /** True while the service drains during a shutdown. */
  isClosing: () => boolean
  /**
   * Time after the start of a shutdown within which clients may send a request on a connection that
   * is open, in milliseconds.
   */
  connectionGraceMs: () => number
  threads: OtherThreads
  /** Memory for request bodies, which other threads may share. */
  incomingMemory?: IncomingMemory
  readiness: Readiness
  store: Store
  brands: Brands
  /** All models of the installation. A brand shows a subset of them. */
  catalogue: Catalogue
  /** The models that operators define. */
  models: OperatorModels
  importer: ModelImporter
  webhooks: Webhooks
  feeds: Feeds
  prices: Prices
  keys: ApiKeys
  /** Null: the console is disabled. */
  console: ConsoleServices | null
  signer: UrlSigner
  mediaStore: MediaStore
  previews: Pick<Previews, 'get' | 'canCreate'>
  /** Routes from models to upstreams, not HTTP routes. */
  routes: TaskRoutes & Pick<Routes, 'embedded' | 'explain' | 'explainSimulation' | 'routeOf' | 'health'>
  /** The models as clients see them: narrowed to what their routes to upstreams can serve. */
  effectiveModels: EffectiveModels
  routing: OperatorRouting
  callbacks: Callbacks
  /** Returns the origin of the URLs that clients and upstreams get. */
  origin: () => string
  assets: Assets
  decodeImageFile: DecodeImageFile
  forwarding: Pick<Forwarding, 'send'>
  deletion: TaskDeletion
  erasure: AccountErasure
  ledgerCheck: Pick<LedgerCheck, 'check' | 'latest'>
  metrics: MetricsText
  telemetry: Telemetry
  clock: Clock
  nextTaskId: () => string
  logger: Logger
  logTail: LogTail
}

/** The dependencies of the HTTP routes: `AppDependencies`, and the state that routes share. */
export interface HttpDependencies extends AppDependencies {
  isAllowedHost: IsAllowedHost
  allowsSimulation: boolean
  views: TaskViews
  modelViews: ModelViews
  waiters: TaskWaiters
  streams: Streams
  /**
   * Waiters for task streams, without a limit of their own, because `streams` limits the number of
   * streams.
   */
  streamWaiters: TaskWaiters
  readingPace: TransferPace
  /** Maximum time for which a request to OpenAI's image API waits for its images. */
  imagesWaitTimeoutMs: number
  incoming: SharedBodyLimits
  largeFiles: Pick<LargeFiles, 'generate'>
}
