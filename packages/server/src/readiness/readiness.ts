import type { Store } from '../db/store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Logger } from '../lib/logger.ts'
import { tryWrite } from '../lib/try-write.ts'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import { StorageCheck } from './storage-check.ts'

export interface ReadinessOptions {
  store: Pick<Store, 'query' | 'checkWrite'>
  mediaStore: Pick<MediaStore, 'checkWrite'>
  /** Minimum time between two checks of the media store. A bucket charges for each check. */
  mediaCheckMs: number
  scratchDir: string
  logger: Logger
  /** Monotonic milliseconds. */
  nowMs?: () => number
}

export interface Readiness {
  /**
   * One sentence for each part of the storage that fails. The sentences contain neither paths nor
   * messages of the storage.
   */
  findErrors(): Promise<string[]>
}

export const diskCheckMs = 1_000
export const bucketCheckMs = 30_000
/** Time without a response after which a read fails the check. */
const readMsMax = 2_000
/**
 * Time that a readiness request waits for a write, because load balancers wait only for a second or
 * two.
 */
const writeWaitMs = 500
/**
 * Time without an outcome after which a write fails the check. A busy disk or bucket needs less
 * time than this, and clients wait longer than this for their results.
 */
const slowWriteMsMax = 30_000

/**
 * Creates the check whether this process can serve requests. The database must respond, and every
 * part of the storage must be writable.
 */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { store, mediaStore, mediaCheckMs, scratchDir, logger, nowMs = () => performance.now() } = options
  const onError = (cause: unknown): void =>
    logger.error({ err: cause }, 'the storage of this service fails, so the service is not ready')
  const createWriteCheck = (name: string, cacheMs: number, check: () => Promise<void>): StorageCheck =>
    new StorageCheck({
      check,
      cacheMs,
      waitMs: writeWaitMs,
      slowMsMax: slowWriteMsMax,
      isNoResponse,
      failureMessage: (code) => `The ${name} is not writable${code === null ? '' : ` (${code})`}.`,
      slowMessage: (seconds) => `The ${name} has not finished a write for ${seconds} seconds.`,
      onError,
      nowMs,
    })

  const readCheck = new StorageCheck({
    async check() {
      await store.query.selectFrom('config_version').select('version').execute()
    },
    cacheMs: diskCheckMs,
    waitMs: readMsMax,
    slowMsMax: readMsMax,
    isNoResponse: () => false,
    failureMessage: () => 'The database does not respond.',
    slowMessage: () => 'The database is slow.',
    onError,
    nowMs,
  })
  const writeChecks = [
    createWriteCheck('database', diskCheckMs, () => store.checkWrite()),
    createWriteCheck('media store', mediaCheckMs, () => mediaStore.checkWrite()),
    createWriteCheck('scratch folder', diskCheckMs, () => tryWrite(scratchDir)),
  ]

  return {
    async findErrors() {
      const [readError, ...writeErrors] = await Promise.all([readCheck, ...writeChecks].map((check) => check.findError()))
      const errors = [readError, ...writeErrors.slice(readError === null ? 0 : 1)]
      return errors.filter((error): error is string => typeof error === 'string')
    },
  }
}

/** Whether a database or a bucket did not respond, which may be temporary. */
function isNoResponse(cause: unknown): boolean {
  if (cause instanceof StoreUnavailable) return cause.reason === null
  return cause instanceof MediaStoreError && cause.code === 'unavailable'
}
