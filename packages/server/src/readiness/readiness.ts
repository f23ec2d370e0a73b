import type { Store } from '../db/store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Logger } from '../lib/logger.ts'
import { tryWrite } from '../lib/try-write.ts'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import { StorageCheck } from './storage-check.ts'

export interface ReadinessDependencies {
  store: Pick<Store, 'database' | 'checkWrite'>
  mediaStore: Pick<MediaStore, 'checkWrite'>
  /**
   * Minimum time between two checks of the media store, because each check of a bucket costs money.
   */
  mediaCheckMs: number
  scratchDir: string
  logger: Logger
  /** Monotonic milliseconds. */
  nowMs?: () => number
}

export interface Readiness {
  /**
   * Returns one sentence for each failing part of the storage. The sentences contain no paths and
   * no error messages of the storage.
   */
  findErrors(): Promise<string[]>
}

export const diskCheckMs = 1_000
export const bucketCheckMs = 30_000
/** Time without a response after which a read counts as failed. */
const readMsMax = 2_000
/**
 * Maximum time for which a readiness request waits for a write, because load balancers wait for
 * only a second or two.
 */
const writeWaitMs = 500
/**
 * Time without an outcome after which a write counts as failed. A busy disk or bucket takes less
 * time than this.
 */
const slowWriteMsMax = 30_000

/**
 * Creates the readiness check. The process is ready if the database responds to a read and every
 * part of the storage accepts a write. If the read fails, only the read is reported, and not the
 * write to the database.
 */
export function createReadiness(dependencies: ReadinessDependencies): Readiness {
  const { store, mediaStore, mediaCheckMs, scratchDir, logger, nowMs = () => performance.now() } = dependencies
  const onError = (cause: unknown): void => logger.error({ err: cause }, 'the service is not ready, because its storage fails')
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
      await store.database.selectFrom('config_version').select('version').execute()
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
