import type { PreviewKind, Simulation } from '@framegate/contract'
import { assetIdOfFile, fileNameOf } from '../../assets/asset-file-name.ts'
import type { Store } from '../../db/store.ts'
import type { StoredPreview, StoredResult, TaskRecord } from '../../db/task-queries.ts'
import { AppError } from '../../lib/app-error.ts'
import { ownerIdOf, previewKey, previewKindOf } from '../../media/result-file-name.ts'
import { readStoredSimulation } from '../../tasks/parameters-text.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/** The file behind a signed link. */
export interface LinkedFile extends Pick<StoredResult, 'sizeBytes' | 'sha256' | 'contentType'> {
  accountNo: number
  storedUntilMs: number
  simulation: Simulation | null
  /**
   * Whether the response may redirect to the media store. False for simulated downloads. Also false
   * for assets, because providers fetch assets, and not every provider follows redirects.
   */
  mayRedirect: boolean
  /** Recreates a preview whose file is missing or damaged. */
  recreate?: () => Promise<LinkedFile>
}

/**
 * Finds the result, preview or asset of this file name. Throws an `AppError` if it was removed.
 * `createSignal` is called only for a preview, which may have to be created.
 */
export type FindLinkedFile = (fileName: string, nowMs: number, createSignal: () => AbortSignal) => Promise<LinkedFile>

export function createFindLinkedFile({
  assets,
  previews,
  store,
}: Pick<HttpDependencies, 'assets' | 'previews' | 'store'>): FindLinkedFile {
  return async (fileName, nowMs, createSignal) => {
    const previewKind = previewKindOf(fileName)
    if (previewKind !== undefined) return await findPreview(fileName, previewKind, nowMs, createSignal())
    const id = assetIdOfFile(fileName)
    if (id === undefined) return linkedResult(await findResult(store, nowMs, fileName, (objectKey) => objectKey === fileName))
    const asset = await assets.findLinked(id)
    if (asset === undefined || fileNameOf(asset) !== fileName)
      throw new AppError('result_expired', 'This asset has been removed.')
    const { account_no: accountNo, size_bytes: sizeBytes, sha256, content_type: contentType } = asset
    return { accountNo, sizeBytes, sha256, contentType, storedUntilMs: Infinity, simulation: null, mayRedirect: false }
  }

  /** Finds the preview of a result, or creates it. */
  async function findPreview(fileName: string, kind: PreviewKind, nowMs: number, signal: AbortSignal): Promise<LinkedFile> {
    const { task, result } = await findResult(store, nowMs, fileName, (objectKey) => previewKey(objectKey, kind) === fileName)
    const linkedFile = (preview: StoredPreview): LinkedFile => ({
      ...preview,
      contentType: 'image/webp',
      accountNo: task.accountNo,
      storedUntilMs: result.expiresAtMs,
      simulation: null,
      mayRedirect: true,
    })
    const request = { accountNo: task.accountNo, signal }
    return {
      ...linkedFile(await previews.get(result, kind, request)),
      recreate: async () => linkedFile(await previews.get(result, kind, { ...request, isRetry: true })),
    }
  }
}

/**
 * Finds the result to which a file name belongs. Names of results and previews contain the task's
 * id.
 */
async function findResult(
  store: Pick<Store, 'find'>,
  nowMs: number,
  fileName: string,
  isWanted: (objectKey: string) => boolean,
): Promise<{ task: TaskRecord; result: StoredResult }> {
  const task = await store.find(ownerIdOf(fileName))
  const result = task?.results.find(({ objectKey }) => isWanted(objectKey))
  if (task === undefined || result === undefined || result.removed || nowMs >= result.expiresAtMs) throw resultExpired()
  return { task, result }
}

function linkedResult({ task, result }: { task: TaskRecord; result: StoredResult }): LinkedFile {
  const { sizeBytes, sha256, contentType, expiresAtMs: storedUntilMs } = result
  const { accountNo } = task
  const simulation = readStoredSimulation(task.parameters)
  const { download_bytes_per_second: bytesPerSecond, download_breaks_after_bytes: breaksAfterBytes } = simulation ?? {}
  return {
    accountNo,
    sizeBytes,
    sha256,
    contentType,
    storedUntilMs,
    simulation,
    mayRedirect: bytesPerSecond === undefined && breaksAfterBytes === undefined,
  }
}

export function resultExpired(): AppError {
  return new AppError('result_expired', 'This result has been removed.')
}
