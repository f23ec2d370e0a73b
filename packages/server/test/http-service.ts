import { UpstreamConnections } from '../src/drivers/upstream/call-upstream.ts'
import { createModelImporter, type ModelImporter } from '../src/importing/model-importer.ts'
import { once } from 'node:events'
import { claimEmbedded } from '../src/db/store-under-test.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AssetQuota } from '../src/assets/asset-rows.ts'
import { openAssets, type Assets } from '../src/assets/assets.ts'
import type { UploadLimits } from '../src/assets/uploads/upload-limits.ts'
import { createInspectFile } from '../src/assets/inspect-file.ts'
import { createAssetsForDrivers, type AssetsForDrivers } from '../src/assets/assets-for-drivers.ts'
import { createApiKeys, type ApiKeys, type KeyLimits } from '../src/auth/api-keys.ts'
import { createConsoleSessions } from '../src/auth/console-sessions.ts'
import { SignInAttempts } from '../src/auth/sign-in-attempts.ts'
import { SignInLinks } from '../src/auth/sign-in-links.ts'
import { scopes, type Scope } from '../src/auth/scopes.ts'
import type { Brand } from '../src/brands/brand.ts'
import { createBrands, type Brands } from '../src/brands/brands.ts'
import { createCatalogue } from '../src/catalogue/catalogue.ts'
import { createOpenCatalogue } from '../src/catalogue/open-catalogue.ts'
import { createOperatorModels, type OperatorModels } from '../src/models/operator-models.ts'
import { createEffectiveModels } from '../src/tasks/effective-models.ts'
import { defaultFamilies } from '../src/catalogue/default-families.ts'
import type { Config } from '../src/config/config.ts'
import { Secret } from '../src/config/secret.ts'
import { startLedgerCheck } from '../src/credits/ledger-check.ts'
import { createPrices, type Prices } from '../src/credits/prices.ts'
import type { Store } from '../src/db/store.ts'
import type { StoredResult } from '../src/db/task-queries.ts'
import type { Failure, PoolChange } from '../src/db/task-queue.ts'
import { createAccountErasure } from '../src/deletion/account-erasure.ts'
import { createTaskDeletion } from '../src/deletion/task-deletion.ts'
import { Forwarding } from '../src/forwarding/forwarding.ts'
import type { ForwardLimits } from '../src/forwarding/forward-settings.ts'
import { createApp } from '../src/http/app.ts'
import type { ConsoleServices } from '../src/http/console/console-services.ts'
import type { HttpLimits } from '../src/http/limits.ts'
import { systemClock, type Clock } from '../src/lib/clock.ts'
import type { FetchUntrusted } from '../src/lib/guarded-fetch/fetch-untrusted.ts'
import { createLogger, type Logger } from '../src/lib/logger.ts'
import { LogTail } from '../src/lib/log-tail.ts'
import { createTaskIds } from '../src/identity/task-id.ts'
import { createDecodeImageFile } from '../src/media/decode-image-file.ts'
import { DecoderPool } from '../src/media/decoder/decoder-pool.ts'
import { createInputProbers } from '../src/media/prober/input-probers.ts'
import { PreviewEncoders } from '../src/media/previews/preview-encoder.ts'
import { ProberPool } from '../src/media/prober/prober-pool.ts'
import { Previews } from '../src/previews/previews.ts'
import { openDiskMediaStore, type DiskMediaStore } from '../src/media/disk-media-store.ts'
import { resultObjectKey } from '../src/media/result-file-name.ts'
import { createUrlSigner } from '../src/media/sign-url.ts'
import { createEncryption } from '../src/routing/encryption.ts'
import { createTaskViews } from '../src/tasks/task-view.ts'
import { createEventData, type EventData } from '../src/events/event-data.ts'
import { createFeeds } from '../src/events/feed.ts'
import { createWebhookRemoval } from '../src/webhooks/remove-webhooks.ts'
import { createWebhooks, type Webhooks } from '../src/webhooks/webhooks.ts'
import type { NewId } from '../src/webhooks/webhook-rows.ts'
import { createReadiness, diskCheckMs } from '../src/readiness/readiness.ts'
import type { OperatorRouting } from '../src/routing/configuration/operator-routing.ts'
import type { Routes } from '../src/routing/routes.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { addStateMetrics } from '../src/telemetry/state-metrics.ts'
import { expectConsistentLedger } from './consistent-ledger.ts'
import { testEngine } from './test-engine.ts'
import { readExchange, requireDocumented, type Exchange } from './documented-responses.ts'
import { fetchAtHost } from './fetch-at-host.ts'
import { routingContextOf, openRouting } from './open-routing.ts'
import { plainPng } from './plain-png.ts'
import { readRawResponse } from './raw-response.ts'

export const resultUrlTtlSeconds = 3600
export const metricsToken = 'metrics-token-of-the-tests'
const resultRetentionSeconds = 7 * 24 * 3600
const leaseMs = 60_000

export interface HttpServiceOptions {
  limits?: Partial<HttpLimits>
  forwardLimits?: Partial<ForwardLimits>
  heartbeatSeconds?: number
  logger?: Logger
  /** Replaces store operations, to test the effects of their errors. */
  changeStore?: (store: Store) => Store
  mode?: Config['mode']
  corsOrigins?: Config['corsOrigins']
  basePath?: string
  /** Default: the machine's clock. */
  clock?: Clock
  nextTaskId?: () => string
  nextAssetId?: () => string
  nextUploadId?: () => string
  newWebhookId?: NewId
  /** Private hosts that webhooks may address. Default: none. */
  allowHosts?: readonly string[]
  assetQuota?: AssetQuota
  uploadLimits?: Partial<UploadLimits>
  /** Replaces fetches of remote URLs. Default: each URL returns the same small image. */
  fetchUntrusted?: FetchUntrusted
  /** Origin of result URLs. Default: the origin of the service. */
  publicUrl?: string
  /** Whether the service has the built console. Default: no. */
  hasConsole?: true
  /**
   * Null: the service has no Bearer token for its metrics. Default: `metricsToken` of this file.
   */
  metricsToken?: null
  /** Stands in for the other threads when the service stops. Default: there are no other threads. */
  drainThreads?: () => Promise<void>
  /** Called with every response. */
  onResponse?: (exchange: Exchange) => void
}

/**
 * The HTTP layer on a real port, with a real store and media folder. It has no dispatcher; tests
 * change the states of tasks themselves. Responses to `request`, `fetch` and `raw` are validated
 * against the OpenAPI document.
 */
export interface HttpService extends AsyncDisposable {
  /** Origin and base path. */
  baseUrl: string
  origin: string
  app: FastifyInstance
  store: Store
  keys: ApiKeys
  webhooks: Webhooks
  eventData: EventData
  prices: Prices
  /** Creates sign-in links of the console. */
  links: SignInLinks
  /** Log lines that the API returns. Tests add them. */
  logTail: LogTail
  models: OperatorModels
  importer: ModelImporter
  brands: Brands
  routes: Routes
  routing: OperatorRouting
  mediaStore: DiskMediaStore
  /** Returns a signed link for any object key. */
  signed(objectKey: string): string
  assets: Assets
  /** Drivers' access to assets, in a service that upstreams can reach. */
  assetsForDrivers: AssetsForDrivers
  dataDir: string
  databaseFile: string
  /**
   * API key that `request` uses by default. It has all scopes, and its account has 1,000 credits.
   */
  key: string
  accountNo: number
  /**
   * Milliseconds by which the service's clock is ahead of the clock in the options. The store and
   * the routes use the clock in the options.
   */
  clockAheadMs: number
  request(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>
  /** Sends a request unchanged. `host` sets its Host header. */
  fetch(url: string, init?: RequestInit, host?: string): Promise<Response>
  /** Adds another account with its key. Default: in the default brand. */
  newAccount(credits: number, scopes?: readonly Scope[], limits?: KeyLimits, brand?: Pick<Brand, 'no'>): Promise<TestAccount>
  /** Claims all queued tasks, which sets their status to `processing`. */
  startAll(): Promise<void>
  /** Completes a claimed task with stored results. */
  complete(
    taskId: string,
    result?: { durationMs?: number | null; bytes?: Buffer; chargeMicroCredits?: number; results?: number },
  ): Promise<void>
  fail(taskId: string, failure: Failure): Promise<void>
  progress(taskId: string, percent: number): Promise<void>
  /**
   * Changes the slot pool of an upstream or a route as a submit or a probe would. The upstream or
   * route must have been set over the API.
   */
  changePool(kind: 'upstream' | 'route', name: string, change: PoolChange): Promise<void>
  /** Sends these bytes on a bare socket and reads until the other side closes. */
  raw(text: string): Promise<string>
}

export interface TestAccount {
  accountNo: number
  accountId: string
  key: string
  keyId: string
}

export interface RequestOptions {
  /** A body that is sent as JSON. */
  body?: unknown
  /** A body that is sent unchanged. */
  rawBody?: RequestInit['body']
  headers?: Record<string, string>
  /** The API key. With null, the request has no Authorization header. */
  key?: string | null
  /** Host header. Default: the service's own address. */
  host?: string
}

export interface HttpResponse {
  status: number
  headers: Headers
  text: string
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export async function openHttpService(options: HttpServiceOptions = {}): Promise<HttpService> {
  const {
    limits,
    logger,
    changeStore,
    basePath = '/api',
    corsOrigins = [],
    mode = 'development',
    clock: baseClock = systemClock,
  } = options
  const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-http-'))
  const clock = (): number => baseClock() + service.clockAheadMs
  const realStore = await testEngine.open(dataDir, baseClock)
  const store = changeStore?.(realStore) ?? realStore
  const keys = await createApiKeys(store, clock)
  const catalogue = createOpenCatalogue(createCatalogue(defaultFamilies))
  const models = await createOperatorModels({
    store,
    catalogue,
    files: [],
    clock,
    logger: logger ?? createLogger('silent'),
  })
  const prices = await createPrices(store, catalogue, clock)
  await realStore.database
    .insertInto('brands')
    .values({ id: 'brand_default', name: 'Framegate', is_default: 1, created_at: 0 })
    .execute()
  const brands = await createBrands(store, catalogue, clock)
  models.onChanged(() => brands.refresh())
  const mediaStore = await openDiskMediaStore(path.join(dataDir, 'media'))
  const decoders = new DecoderPool({ log: { warn: () => {} } })
  const inputProbers = createInputProbers({ warn: () => {} })
  const assets = await openAssets({
    database: store.database,
    mediaStore,
    fetchUntrusted: options.fetchUntrusted ?? fetchOneImage,
    inspectFile: createInspectFile({ decodeImageFile: createDecodeImageFile(decoders), probeInput: inputProbers.probeInput }),
    scratchDir: path.join(dataDir, 'scratch'),
    quota: options.assetQuota ?? { assetsMax: 1000, bytesMax: 1024 ** 3 },
    ...(options.uploadLimits && { uploadLimits: options.uploadLimits }),
    clock,
    ...(options.nextAssetId && { nextAssetId: options.nextAssetId }),
    ...(options.nextUploadId && { nextUploadId: options.nextUploadId }),
  })
  let origin = ''
  const signer = createUrlSigner({
    key: Buffer.alloc(32, 7),
    publicUrl: () => options.publicUrl ?? origin,
    basePath,
    ttlSeconds: resultUrlTtlSeconds,
  })
  const assetsForDrivers = createAssetsForDrivers({ database: store.database, mediaStore, signer, isReachable: true, clock })
  const resources = new AsyncDisposableStack()
  const previews = resources.use(
    await Previews.open({
      store,
      mediaStore,
      encoders: resources.use(new PreviewEncoders({ warn: () => {} })),
      probeUntrustedFile: resources.use(new ProberPool({ log: { warn: () => {} } })).probe,
      scratchDir: path.join(dataDir, 'scratch'),
      clock,
      logger: logger ?? createLogger('silent'),
    }),
  )
  const fetchUntrusted = options.fetchUntrusted ?? fetchOneImage
  const { routes, routing } = await openRouting(resources, {
    dataDir,
    store: realStore,
    fetchUntrusted,
    assets: assetsForDrivers,
    catalogue,
    clock: baseClock,
    logger: logger ?? createLogger('silent'),
  })
  models.onChanged(() => routing.refresh())
  const importer = createModelImporter({
    models,
    routing,
    routingContextOf,
    fetchUntrusted,
    call: resources.use(new UpstreamConnections()).call,
  })
  const metrics = createMetrics()
  const ledgerCheck = resources.use(
    startLedgerCheck(store, { isPeriodic: false, clock, logger: logger ?? createLogger('silent') }),
  )
  const deletion = createTaskDeletion({
    store,
    mediaStore,
    localResultsFolder: path.join(dataDir, 'kept'),
    telemetry: metrics,
    clock,
    logger: logger ?? createLogger('silent'),
  })
  addStateMetrics(metrics.registry, {
    store,
    routes,
    ledgerCheck,
    clock,
    expiry: { isFrozen: false, jumpCount: 0 },
    version: 'of tests',
  })
  const nextTaskId = options.nextTaskId ?? createTaskIds(clock)
  const forwarding = resources.use(
    new Forwarding({ store, routes, prices, nextTaskId, clock, logger: logger ?? createLogger('silent') }, options.forwardLimits),
  )
  const webhooks = createWebhooks({
    store,
    encryption: createEncryption(Buffer.alloc(32, 9).toString('base64')),
    allowHosts: options.allowHosts ?? [],
    // Host names are not resolved, because tests have no name server.
    requireAllowedAddress: async () => {},
    onDue: () => {},
    clock,
    ...(options.newWebhookId && { newId: options.newWebhookId }),
  })
  const views = createTaskViews({
    signer,
    resultUrlTtlSeconds,
    hasThumbnail: (result) => previews.canCreate(result, 'thumbnail'),
    clock,
  })
  const eventData = createEventData({ store, views, brands, clock })
  const webhookRemoval = createWebhookRemoval({ store, retentionMs: 30 * 24 * 3_600_000, clock })
  const links = new SignInLinks(clock)
  const logTail = new LogTail()
  const consoleServices: ConsoleServices = {
    sessions: createConsoleSessions(store, Buffer.alloc(32, 7), clock),
    links,
    attempts: new SignInAttempts(clock),
    cookieSuffix: 'tests',
    mediaOrigin: null,
  }
  const app = await createApp(
    {
      config: {
        role: 'all',
        mode,
        host: '127.0.0.1',
        basePath,
        resultUrlTtlSeconds,
        allowHosts: [],
        corsOrigins,
        metricsToken: options.metricsToken === null ? null : new Secret(metricsToken),
        chat: { heartbeatSeconds: options.heartbeatSeconds ?? 0, readOnSeconds: 30, waitSeconds: 10 },
      },
      isClosing: () => false,
      connectionGraceMs: () => 0,
      threads: {
        async applyConfigChanges() {},
        drain: options.drainThreads ?? (async () => {}),
      },
      readiness: createReadiness({
        store,
        mediaStore,
        mediaCheckMs: diskCheckMs,
        scratchDir: path.join(dataDir, 'scratch'),
        logger: logger ?? createLogger('silent'),
      }),
      store,
      brands,
      catalogue,
      models,
      importer,
      prices,
      keys,
      console: options.hasConsole === true ? consoleServices : null,
      signer,
      mediaStore,
      previews,
      routes,
      effectiveModels: createEffectiveModels(routes),
      routing,
      callbacks: { isGenuine: () => false, receive: async () => ({ trust: 'forged' }) },
      origin: () => origin,
      assets,
      decodeImageFile: createDecodeImageFile(decoders),
      deletion,
      erasure: createAccountErasure({
        store,
        deletion,
        assets,
        webhooks: webhookRemoval,
        clock,
        logger: logger ?? createLogger('silent'),
      }),
      webhooks,
      feeds: resources.use(createFeeds(store, eventData, clock)),
      ledgerCheck,
      metrics: metrics.registry,
      telemetry: metrics,
      clock,
      nextTaskId,
      forwarding,
      logTail,
      logger: logger ?? createLogger('silent'),
    },
    limits,
  )
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const checkExchange = (exchange: Exchange): void => {
    requireDocumented(exchange)
    options.onResponse?.(exchange)
  }
  const fences = new Map<string, number>()
  let accountCount = 0

  const service: HttpService = {
    baseUrl: origin + basePath,
    origin,
    app,
    store,
    keys,
    webhooks,
    eventData,
    prices,
    links,
    logTail,
    models,
    importer,
    brands,
    routes,
    routing,
    mediaStore,
    assets,
    assetsForDrivers,
    dataDir,
    databaseFile: path.join(dataDir, 'framegate.db'),
    key: '',
    accountNo: 0,
    clockAheadMs: 0,

    async request(method, urlPath, { body, rawBody, headers = {}, key = service.key, host } = {}) {
      const url = urlPath.startsWith('http') ? urlPath : service.baseUrl + urlPath
      const init = {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(rawBody !== undefined && { body: rawBody, duplex: 'half' as const }),
      }
      const response = await service.fetch(url, init, host)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
    },

    async fetch(url, init, host) {
      const response = await (host === undefined ? fetch(url, init) : fetchAtHost(url, host, init))
      checkExchange(await readExchange(service.baseUrl, url, init, response))
      return response
    },

    async newAccount(credits, granted = scopes, keyLimits = {}, brand = brands.ofHost(undefined)) {
      accountCount += 1
      const id = `acct_${accountCount}`
      await store.database
        .insertInto('accounts')
        .values({ id, brand_no: brand.no, name: id, status: 'active', created_at: 0 })
        .execute()
      const account = await store.database.selectFrom('accounts').select('no').where('id', '=', id).executeTakeFirstOrThrow()
      if (credits > 0) await store.grant(account.no, credits * 1_000_000, 'to begin with')
      const issued = await keys.issueKey({
        accountNo: account.no,
        name: 'test',
        scopes: granted,
        expiresAtMs: null,
        ...keyLimits,
      })
      return { accountNo: account.no, accountId: id, key: issued.key, keyId: issued.id }
    },

    signed: (objectKey) => signer.sign(objectKey, Math.floor(Date.now() / 1000)).url,

    async startAll() {
      for (const claim of await claimEmbedded(store, 1000, leaseMs)) fences.set(claim.id, claim.fence)
    },

    async complete(taskId, options = {}) {
      const {
        durationMs = null,
        bytes = Buffer.from('the image itself'),
        chargeMicroCredits = 10_000,
        results: count = 1,
      } = options
      const isImage = (await store.find(taskId))?.object === 'image'
      const storeResult = async (position: number): Promise<StoredResult> => {
        const objectKey = resultObjectKey(taskId, position, isImage ? 'png' : 'mp4')
        const storedMedia = await mediaStore.put(objectKey, Readable.from([bytes]), {
          bytesMax: bytes.byteLength,
          signal: AbortSignal.timeout(5000),
        })
        return {
          objectKey,
          contentType: isImage ? 'image/png' : 'video/mp4',
          ...storedMedia,
          width: isImage ? 1024 : 1280,
          height: isImage ? 1024 : 720,
          durationMs,
          seed: 42 + position,
          expiresAtMs: baseClock() + resultRetentionSeconds * 1000,
          removed: false,
        }
      }
      const results: [StoredResult, ...StoredResult[]] = [await storeResult(0)]
      for (let position = 1; position < count; position++) results.push(await storeResult(position))
      const isEnded = await store.complete({ id: taskId, fence: fences.get(taskId) ?? 0 }, results, chargeMicroCredits)
      if (!isEnded) throw new Error('start the task before it completes')
    },

    async fail(taskId, failure) {
      if (!(await store.fail({ id: taskId, fence: fences.get(taskId) ?? 0 }, failure))) throw new Error('the task has ended')
    },

    async progress(taskId, percent) {
      await store.renew([{ id: taskId, fence: fences.get(taskId) ?? 0, progress: percent }], leaseMs)
    },

    async changePool(kind, name, change) {
      const pools = await store.database.selectFrom('slot_pools').select(['no', 'name']).where('kind', '=', kind).execute()
      const nameOf = (text: string): unknown => (kind === 'upstream' ? text : (JSON.parse(text) as unknown[])[1])
      const pool = pools.find((candidate) => nameOf(candidate.name) === name)
      if (pool === undefined) throw new Error(`there is no pool of the ${kind} ${name}`)
      await store.changePool(pool.no, change)
      routes.observe(await store.readPools())
    },

    async raw(text) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => socket.destroy())
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
      socket.write(Buffer.from(text, 'latin1'))
      await once(socket, 'close')
      checkExchange(readRawResponse(service.baseUrl, text, received))
      return received
    },

    async [Symbol.asyncDispose]() {
      // An unread response would keep its connection open and delay the close.
      const timer = setTimeout(() => app.server.closeAllConnections(), 5000)
      await app.close()
      clearTimeout(timer)
      await resources.disposeAsync()
      await decoders[Symbol.asyncDispose]()
      await inputProbers[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
      brands[Symbol.dispose]()
      await expectConsistentLedger(realStore)
      await realStore[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  const { accountNo, key } = await service.newAccount(1000)
  service.key = key
  service.accountNo = accountNo
  return service
}

async function fetchOneImage(url: string) {
  return { stream: Readable.from([plainPng(64, 48)]), contentType: 'image/png', finalUrl: url, status: 200 }
}

/** Returns a store in which some operations are replaced. */
export function changed(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(changes, name) ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
