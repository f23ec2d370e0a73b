import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assetIdOfFile } from '../../assets/asset-file-name.ts'
import { AppError } from '../../lib/app-error.ts'
import { ownerIdOf } from '../../media/result-file-name.ts'
import { savedName } from '../../media/saved-name.ts'
import { createMediaResponse, type MediaResponse } from '../../media/serve-media.ts'
import { fileDamaged } from '../../media/open-intact.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { firstValue } from '../parameters/first-value.ts'
import { sendError } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { disconnectSlowReaders } from '../connections/slow-readers.ts'
import { createFindLinkedFile, resultExpired, type LinkedFile } from './find-linked-file.ts'
import { canRedirect, redirectFields } from './media-redirect.ts'
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
  const { brands, clock, config, logger, mediaStore, signer } = dependencies
  const findLinked = createFindLinkedFile(dependencies)

  app.route<MediaRequest>({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/media/:assetId`,
    async handler(request, reply) {
      const { assetId: objectKey } = request.params
      const { expires, signature } = request.query
      const nowMs = clock()
      requireGenuine(signer.verify(objectKey, textOf(expires), textOf(signature), Math.floor(nowMs / 1000)))
      const file = await findLinked(objectKey, nowMs, () => disconnectSignal(reply))
      return await send(file, { request, reply, nowMs })
    },
  })

  async function send(
    file: LinkedFile,
    { request, reply, nowMs }: { request: FastifyRequest<MediaRequest>; reply: FastifyReply; nowMs: number },
  ): Promise<FastifyReply> {
    const { assetId: objectKey } = request.params
    const { sizeBytes, contentType } = file
    const validUntilMs = Math.min(Number(request.query.expires) * 1000, file.storedUntilMs)
    const ifRange = firstValue(request.raw.headers['if-range'])
    const response = await createResponse(file, request, { ifRange, maxAgeSeconds: (validUntilMs - nowMs) / 1000 })
    if (response.status === 416) throw rangeNotSatisfiable(response)
    if (file.mayRedirect && mediaStore.directUrl !== undefined && canRedirect(response, ifRange)) {
      return reply
        .code(302)
        .headers(await redirectFields(mediaStore.directUrl, { objectKey, response, contentType, clock, validUntilMs }))
        .send()
    }
    if (response.body === null) return reply.code(response.status).headers(response.headers).send()
    const media = await mediaStore.open(objectKey, response.body)
    if (media?.sizeBytes === sizeBytes)
      return reply
        .code(response.status)
        .headers(response.headers)
        .send(downloadOf(media.stream, file, request))
    media?.stream.destroy()
    if (file.recreate !== undefined) return await send(await file.recreate(), { request, reply, nowMs })
    if (media === undefined) throw resultExpired()
    const sizes = { recordedBytes: sizeBytes, sizeBytes: media.sizeBytes }
    logger.error({ requestId: request.id, ...subjectOf(objectKey), ...sizes }, 'a stored file is damaged')
    sendError(reply, fileDamaged(objectKey, sizes))
    return reply
  }

  async function createResponse(
    { accountNo, sizeBytes, sha256, contentType }: LinkedFile,
    request: FastifyRequest<MediaRequest>,
    { ifRange, maxAgeSeconds }: { ifRange: string | undefined; maxAgeSeconds: number },
  ): Promise<MediaResponse> {
    const { range, 'if-none-match': ifNoneMatch } = request.raw.headers
    const fileName = savedName(request.params.assetId, await brands.ofAccount(accountNo))
    return createMediaResponse(
      { method: request.method === 'HEAD' ? 'HEAD' : 'GET', range, ifRange, ifNoneMatch },
      { sizeBytes, sha256, contentType, fileName, maxAgeSeconds },
    )
  }

  /** Returns the stream that the client gets, which logs errors and disconnects a slow reader. */
  function downloadOf(stored: Readable, { simulation }: LinkedFile, request: FastifyRequest<MediaRequest>): Readable {
    const { socket } = request.raw
    stored.once('error', (err) => {
      // An AbortError means that the response ended early, for example by simulation.
      if (socket.destroyed || err.name === 'AbortError') return
      const subject = subjectOf(request.params.assetId)
      logger.error({ requestId: request.id, ...subject, err }, 'a download was aborted because its file could not be read')
    })
    const stream = simulation === null ? stored : simulateDownload(stored, simulation)
    disconnectSlowReaders(socket, stream, dependencies.readingPace)
    return stream
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

function rangeNotSatisfiable({ headers }: MediaResponse): AppError {
  const { 'Content-Length': _length, ...others } = headers
  return new AppError('range_not_satisfiable', 'The range starts beyond the end of the file.', { headers: others })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
