import type { PreviewKind, Simulation } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assetIdOfFile, fileNameOf } from '../../assets/asset-file-name.ts'
import type { Store } from '../../db/store.ts'
import type { StoredPreview, StoredResult, TaskRecord } from '../../db/task-queries.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { ownerIdOf, previewKey, previewKindOf } from '../../media/result-file-name.ts'
import { savedName } from '../../media/saved-name.ts'
import { createMediaResponse, type MediaResponse } from '../../media/serve-media.ts'
import type { MediaStore } from '../../media/media-store.ts'
import { fileDamaged } from '../../media/open-intact.ts'
import { readStoredSimulation } from '../../tasks/parameters-text.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { firstValue } from '../parameters/first-value.ts'
import { sendError } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { disconnectSlowReaders } from '../connections/slow-readers.ts'
import { simulateDownload } from './simulate-download.ts'

interface MediaRequest {
  /**
   * File name of a result, a preview or an asset. The parameter keeps this older name, because the
   * route's pattern is a metric label.
   */
  Params: { assetId: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/**
 * Serves results and assets to any caller with a signed link, without an API key. An invalid link
 * is rejected before any lookup.
 */
export function addMediaRoute(
  app: FastifyInstance,
  dependencies: Pick<
    HttpDependencies,
    'assets' | 'brands' | 'clock' | 'config' | 'logger' | 'mediaStore' | 'previews' | 'readingPace' | 'signer' | 'store'
  >,
): void {
  const { assets, brands, clock, config, logger, mediaStore, previews, signer, store } = dependencies

  async function findLinked(fileName: string, nowMs: number, reply: FastifyReply): Promise<LinkedFile> {
    const previewKind = previewKindOf(fileName)
    if (previewKind !== undefined) return await findPreview(fileName, previewKind, nowMs, disconnectSignal(reply))
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

  app.route<MediaRequest>({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/media/:assetId`,
    async handler(request, reply) {
      const { assetId: objectKey } = request.params
      const { expires, signature } = request.query
      const nowMs = clock()
      requireGenuine(signer.verify(objectKey, textOf(expires), textOf(signature), Math.floor(nowMs / 1000)))
      const file = await findLinked(objectKey, nowMs, reply)
      return await send(file, { request, reply, nowMs })
    },
  })

  async function send(
    file: LinkedFile,
    { request, reply, nowMs }: { request: FastifyRequest<MediaRequest>; reply: FastifyReply; nowMs: number },
  ): Promise<FastifyReply> {
    const { assetId: objectKey } = request.params
    const { expires } = request.query
    const { sizeBytes, sha256, contentType, storedUntilMs, simulation, recreate } = file
    const validUntilMs = Math.min(Number(expires) * 1000, storedUntilMs)
    const { headers } = request.raw
    const ifRange = firstValue(headers['if-range'])
    const response = createMediaResponse(
      {
        method: request.method === 'HEAD' ? 'HEAD' : 'GET',
        range: headers.range,
        ifRange,
        ifNoneMatch: headers['if-none-match'],
      },
      {
        sizeBytes,
        sha256,
        contentType,
        fileName: savedName(objectKey, await brands.ofAccount(file.accountNo)),
        maxAgeSeconds: (validUntilMs - nowMs) / 1000,
      },
    )
    if (response.status === 416) throw rangeNotSatisfiable(response)
    if (file.mayRedirect && mediaStore.directUrl !== undefined && canRedirect(response, ifRange)) {
      return reply
        .code(302)
        .headers(await redirectFields(mediaStore.directUrl, { objectKey, response, contentType, clock, validUntilMs }))
        .send()
    }
    const media = response.body === null ? null : await mediaStore.open(objectKey, response.body)
    const isIntact = media === null || media?.sizeBytes === sizeBytes
    if (!isIntact && recreate !== undefined) {
      media?.stream.destroy()
      return await send(await recreate(), { request, reply, nowMs })
    }
    if (media === undefined) throw resultExpired()
    if (media !== null && media.sizeBytes !== sizeBytes) {
      media.stream.destroy()
      const sizes = { recordedBytes: sizeBytes, sizeBytes: media.sizeBytes }
      logger.error({ requestId: request.id, ...subjectOf(objectKey), ...sizes }, 'a stored file is damaged')
      sendError(reply, fileDamaged(objectKey, sizes))
      return reply
    }
    media?.stream.once('error', (err) => {
      // An AbortError means that the response ended early, for example by simulation.
      if (request.raw.socket.destroyed || err.name === 'AbortError') return
      logger.error(
        { requestId: request.id, ...subjectOf(objectKey), err },
        'a download was aborted because its file could not be read',
      )
    })
    const stream = media && simulation ? simulateDownload(media.stream, simulation) : media?.stream
    if (stream) disconnectSlowReaders(request.raw.socket, stream, dependencies.readingPace)
    return reply.code(response.status).headers(response.headers).send(stream)
  }
}

/** Returns the task or asset to which a file belongs, as a log field. */
function subjectOf(fileName: string): { task: string } | { asset: string } {
  const id = ownerIdOf(fileName)
  return assetIdOfFile(fileName) === undefined ? { task: id } : { asset: id }
}

function requireGenuine(verdict: 'valid' | 'expired' | 'invalid'): void {
  if (verdict === 'invalid')
    throw new AppError(
      'invalid_signature',
      'The signature of this link is not valid; use the result_url exactly as the task shows it.',
    )
  if (verdict === 'expired') throw new AppError('result_expired', 'This link has expired; query the task for a fresh one.')
}

function resultExpired(): AppError {
  return new AppError('result_expired', 'This result has been removed.')
}

function rangeNotSatisfiable({ headers }: MediaResponse): AppError {
  const { 'Content-Length': _length, ...others } = headers
  return new AppError('range_not_satisfiable', 'The range starts beyond the end of the file.', { headers: others })
}

/** The file behind a signed link. */
interface LinkedFile extends Pick<StoredResult, 'sizeBytes' | 'sha256' | 'contentType'> {
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
 * Whether the response has a body and `If-Range` does not prevent a redirect. The media store has a
 * different ETag, so a request with this service's ETag in `If-Range` cannot be redirected.
 */
function canRedirect({ body, headers }: MediaResponse, ifRange: string | undefined): boolean {
  return body !== null && ifRange?.trim() !== headers['ETag']
}

interface Redirect {
  objectKey: string
  response: MediaResponse
  contentType: string
  clock: Clock
  validUntilMs: number
}

/**
 * Maximum age of a cached redirect. It is shorter than a week, the maximum lifetime of a direct
 * link.
 */
const redirectSecondsMax = 6 * 24 * 60 * 60

async function redirectFields(
  directUrl: NonNullable<MediaStore['directUrl']>,
  redirect: Redirect,
): Promise<Record<string, string>> {
  const { objectKey, response, contentType, clock, validUntilMs } = redirect
  const { url, expiresAt } = await directUrl(objectKey, {
    contentType,
    contentDisposition: response.headers['Content-Disposition'] ?? 'inline',
    nowSeconds: Math.floor(clock() / 1000),
    expiresAt: Math.floor(validUntilMs / 1000),
  })
  // Reads the clock again, because signing may take a while: it may renew the credentials.
  const secondsLeft = expiresAt - Math.ceil(clock() / 1000)
  return {
    Location: url,
    'Cache-Control': `private, max-age=${Math.min(redirectSecondsMax, Math.max(0, secondsLeft))}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/**
 * Finds the result to which a file name belongs. Names of results and previews have the task's id.
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
