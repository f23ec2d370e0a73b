import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiKeys } from '../auth/api-keys.ts'
import { SignInLinks } from '../auth/sign-in-links.ts'
import type { Brands } from '../brands/brands.ts'
import type { Config } from '../config/config.ts'
import type { RoutingFile } from '../config/routing-file.ts'
import { startLedgerCheck } from '../credits/ledger-check.ts'
import { lockDataFolder } from '../db/data-folder-lock.ts'
import { SharedBuckets } from '../auth/request-bucket.ts'
import { TaskChanges } from '../db/task-changes.ts'
import { openStore } from '../db/open-store.ts'
import { withDatabaseName } from '../db/sqlite/unusable-database.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Store } from '../db/store.ts'
import { createMainStore } from '../db/thread-store.ts'
import { connectionGraceMs as defaultGraceMs } from '../http/connections/drain-connections.ts'
import { IncomingMemory } from '../http/bodies/incoming-memory.ts'
import { defaultLimits } from '../http/limits.ts'
import { consolePath } from '../http/console/console-paths.ts'
import { ExpiryClock } from '../credits/expiry-clock.ts'
import { keepNextTickFast } from '../lib/keep-next-tick-fast.ts'
import { workFields } from '../identity/current-work.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { LogTail } from '../lib/log-tail.ts'
import { DataFolderLost, StartupError } from '../lib/startup-error.ts'
import type { RoutesDependencies } from '../routing/routes.ts'
import { watchRoutingFile } from '../routing/configuration/watch-routing-file.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addStateMetrics } from '../telemetry/state-metrics.ts'
import { ensureBootstrapKey, issueFirstKey } from './first-key.ts'
import { ensureInstallation } from './installation.ts'
import { joinTraces } from './join-traces.ts'
import { listen } from './listen.ts'
import { openApp } from './open-app.ts'
import { openServices } from './open-services.ts'
import type { ServiceState } from './service-state.ts'
import { createSignInLink } from './sign-in-link.ts'
import { requireOpenFiles } from './require-open-files.ts'
import { startHttpThreads } from './start-http-threads.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Maximum time for which a shutdown waits for renders in this process and for results that are being
 * collected. A task whose job runs at an upstream is released immediately. Unfinished tasks continue
 * after the next start.
 */
const drainMs = 3_000

const dataFolderLostMessage =
  'another service has taken over the data folder: this service shuts down and must not be restarted automatically; make sure ' +
  'that only one service uses the folder'

export interface ServerOptions {
  /** Called once if the service cannot continue. The caller must close it and end the process. */
  onFatal?: (cause: Error) => void
  /** Whether the database is a restored copy, whose unfinished tasks are put on hold. */
  isRestored?: boolean
  /** Replaces the embedded driver. */
  embedded?: RoutesDependencies['embedded']
}

export interface RunningServer {
  /** Origin and base path: the `{base_url}` of clients. */
  baseUrl: string
  dataDir: string
  /**
   * The API key that the first start creates if no key is configured. It is shown once, and only
   * its digest is stored. Otherwise null.
   */
  newKey: string | null
  /** Address of the console. Null: it is disabled. */
  consoleUrl: string | null
  /**
   * Creates a one-time sign-in link to the console for an operator. Null: there is no console or no
   * key.
   */
  createSignInLink(): Promise<string | null>
  /** The store, for callers in the same process, which need no API key. */
  store: Store
  keys: ApiKeys
  brands: Brands
  /**
   * Shuts the service down. The service accepts requests for another `shutdownDelaySeconds`, until
   * load balancers have noticed the shutdown. Meanwhile, it drains the dispatcher, which returns
   * unfinished tasks to the queue. With `immediately`, the service stops accepting requests at once,
   * because a broken service must not accept further work.
   */
  close(options?: { immediately: boolean }): Promise<void>
}

/**
 * Creates the parts of the service in the order of their dependencies. They are closed in reverse
 * order. Throws a `StartupError` for problems that an operator can fix.
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  try {
    return await openServer(config, options)
  } catch (error) {
    if (config.database.kind === 'sqlite') {
      const describedError = withDatabaseName(path.join(config.dataDir, 'framegate.db'), error)
      if (describedError !== error) throw describedError
    }
    if (!(error instanceof StoreUnavailable)) throw error
    const message =
      error.reason === null
        ? 'The connection to the database was lost during start-up. Start the service again when the database responds.'
        : `The database could not be read or written during start-up (${error.reason}). Check its disk and free space, and ` +
          'start the service again.'
    throw new StartupError(message, { cause: error })
  }
}

async function openServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  requireOpenFiles()
  await using disposables = new AsyncDisposableStack()
  const logTail = new LogTail()
  const logger = createLogger(config.logLevel, workFields, logTail)
  const scratchDir = path.join(config.dataDir, 'scratch')
  const lock = disposables.use(lockDataFolder(config.dataDir))
  await keepNextTickFast()
  const metrics = createMetrics()
  const telemetry = await joinTraces(disposables, metrics, config.traces, logger)
  const taskChanges = new TaskChanges()
  const { store: openedStore, clock } = await openStore(config.database, {
    dataDir: config.dataDir,
    logger,
    isRestored: options.isRestored === true,
    taskChanges,
  })
  const store = disposables.use(openedStore)
  const expiry = disposables.use(new ExpiryClock({ clock, newestRecordMs: await store.readNewestTaskMs(), logger }))
  store.setExpiryClock(expiry.now)
  const stop = createStop(logger, options.onFatal)
  lock.watch({ files: config.database.kind === 'sqlite' ? ['framegate.db'] : [], onLost: stop, logger })
  const installation = await ensureInstallation(store, clock())
  const buckets = config.threads > 1 ? new SharedBuckets() : null
  const incomingMemory = new IncomingMemory(defaultLimits.incomingBytesMax)
  const state: ServiceState = {
    origin: config.publicUrl ?? '',
    isClosing: false,
    connectionGraceMs: defaultGraceMs,
    httpThreads: null,
  }

  const services = await openServices(disposables, {
    config,
    state,
    store,
    installation,
    bucketOf: buckets === null ? undefined : (keyNo) => buckets.get(keyNo),
    scratchDir,
    embedded: options.embedded,
    telemetry,
    clock,
    expiry,
    logger,
  })
  const { keys, brands, assets, routes, work } = services
  const ledgerCheck = disposables.use(startLedgerCheck(store, { isPeriodic: config.role !== 'api', clock, logger }))
  addStateMetrics(metrics.registry, { store, routes, ledgerCheck, clock, expiry, version: packageJson.version })
  const nextTaskId = store.createTaskIds(clock)
  const links = config.console && config.role !== 'worker' ? new SignInLinks(clock) : null
  const app = await openApp(disposables, {
    config,
    state,
    services,
    store,
    installation,
    links,
    incomingMemory,
    scratchDir,
    nextTaskId,
    ledgerCheck,
    metrics,
    telemetry,
    clock,
    logger,
    logTail,
  })
  // The configured key must be valid before the first request, because clients already have it.
  await ensureBootstrapKey(keys, installation.accountNo, config)
  const address = await listen(app, config)
  if (state.origin === '') state.origin = address
  if (buckets !== null) {
    state.httpThreads = await startHttpThreads(disposables, {
      config,
      app,
      data: {
        urlSigningKey: installation.urlSigningKey,
        origin: state.origin,
        buckets: buckets.memory,
        taskChanges: taskChanges.memory,
        incomingMemory: incomingMemory.memory,
      },
      methods: {
        ...createMainStore(store, nextTaskId),
        factsOfAsset: (accountNo, id) => assets.factsOfAsset(accountNo, id),
        factsOfSource: (...parameters) => assets.factsOfSource(...parameters),
        addLogLine: async (line) => logTail.add(line),
      },
      onFatal: stop,
    })
  }
  const useChangedFile = async (file: RoutingFile): Promise<void> => {
    await services.useFile(file)
    await state.httpThreads?.useFile(file)
  }
  // The threads start with the file as it was read, so the watch begins when they have started.
  disposables.use(watchRoutingFile(config.routing, { load: useChangedFile, logger }))
  // Created after the last step that can fail, because a key that is never shown would be lost.
  const newKey = config.bootstrapKey === null ? await issueFirstKey(keys, store, installation.accountNo) : null
  work?.dispatcher.start()
  work?.deliverer.start()
  store.onFatal(stop)

  const consoleUrl = `${address}${consolePath}`
  const resources = disposables.move()
  return {
    baseUrl: address + config.basePath,
    dataDir: config.dataDir,
    newKey,
    consoleUrl: links && consoleUrl,
    createSignInLink: async () =>
      links && createSignInLink({ consoleUrl, links, store, accountNo: installation.accountNo, clock }),
    store,
    keys,
    brands,
    async close({ immediately } = { immediately: false }) {
      state.isClosing = true
      if (immediately) state.connectionGraceMs = 0
      const delayMs = immediately ? 0 : config.shutdownDelaySeconds * 1000
      await Promise.all([sleep(delayMs).then(() => app.close()), work?.dispatcher.drain(drainMs)])
      await resources.disposeAsync()
    },
  }
}

/** Returns a function that reports the first cause for which the service cannot continue. */
function createStop(logger: Logger, onFatal: ServerOptions['onFatal']): (cause: Error) => void {
  let isStopping = false
  return (cause) => {
    if (isStopping) return
    isStopping = true
    const isLost = cause instanceof DataFolderLost
    logger.fatal({ err: cause }, isLost ? dataFolderLostMessage : 'the service cannot continue')
    onFatal?.(cause)
  }
}
