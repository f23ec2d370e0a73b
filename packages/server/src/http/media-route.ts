import type { Simulation } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { assetIdOfFile, fileNameOf } from '../assets/asset-file-name.ts'
import type { Store, StoredResult } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'
import { answerMedia, type MediaAnswer } from '../media/serve-media.ts'
import { readStoredSimulation } from '../tasks/parameters-text.ts'
import type { HttpContext } from './services.ts'
import { hangUpOnSlowReaders } from './slow-readers.ts'
import { simulateDownload } from './simulate-download.ts'

interface MediaRequest {
  Params: { assetId: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/** Results and assets, to whoever has a link that we have signed: no key. The link is refused before anything is looked up. */
export function addMediaRoute(app: FastifyInstance, context: HttpContext): void {
  const { assets, clock, config, mediaStore, signer, store } = context

  async function findLinked(fileName: string, nowMs: number): Promise<LinkedFile> {
    const id = assetIdOfFile(fileName)
    if (id === undefined) return await findResult(store, fileName, nowMs)
    const asset = await assets.findLinked(id)
    if (asset === undefined || fileNameOf(asset) !== fileName)
      throw new AppError('result_expired', 'This asset is no longer kept.')
    const { size_bytes: sizeBytes, sha256, content_type: contentType } = asset
    return { sizeBytes, sha256, contentType, keptUntilMs: Infinity, simulate: null }
  }

  app.route<MediaRequest>({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/media/:assetId`,
    async handler(request, reply) {
      const { assetId } = request.params
      const { expires, signature } = request.query
      const nowMs = clock()
      requireGenuine(signer.verify(assetId, text(expires), text(signature), Math.floor(nowMs / 1000)))
      const { sizeBytes, sha256, contentType, keptUntilMs, simulate } = await findLinked(assetId, nowMs)
      const { headers } = request.raw
      const answer = answerMedia(
        {
          method: request.method === 'HEAD' ? 'HEAD' : 'GET',
          range: headers.range,
          ifRange: header(headers['if-range']),
          ifNoneMatch: headers['if-none-match'],
        },
        {
          sizeBytes,
          sha256,
          contentType,
          fileName: assetId,
          maxAgeSeconds: Math.min(Number(expires), keptUntilMs / 1000) - nowMs / 1000,
        },
      )
      if (answer.status === 416) throw rangeNotSatisfiable(answer)
      const opened = answer.body === null ? null : await mediaStore.open(assetId, answer.body)
      if (opened === undefined) throw noLongerKept()
      const stream = opened && simulate ? simulateDownload(opened.stream, simulate) : opened?.stream
      if (stream) hangUpOnSlowReaders(request.raw.socket, stream, context.readingPace)
      return reply.code(answer.status).headers(answer.headers).send(stream)
    },
  })
}

function requireGenuine(verdict: 'valid' | 'expired' | 'invalid'): void {
  if (verdict === 'invalid')
    throw new AppError('invalid_signature', 'This link is not genuine; use the result_url exactly as the task shows it.')
  if (verdict === 'expired') throw new AppError('result_expired', 'This link has expired; query the task for a fresh one.')
}

function noLongerKept(): AppError {
  return new AppError('result_expired', 'This result is no longer kept.')
}

function rangeNotSatisfiable({ headers }: MediaAnswer): AppError {
  const { 'Content-Length': _length, ...others } = headers
  return new AppError('range_not_satisfiable', 'The range lies behind the end of the file.', { headers: others })
}

/** What a link opens. */
interface LinkedFile extends Pick<StoredResult, 'sizeBytes' | 'sha256' | 'contentType'> {
  keptUntilMs: number
  simulate: Simulation | null
}

/** A result's file is named after its task. */
async function findResult(store: Pick<Store, 'find'>, fileName: string, nowMs: number): Promise<LinkedFile> {
  const task = await store.find(fileName.slice(0, fileName.indexOf('.')))
  const result = task?.result
  if (result?.assetId !== fileName || result.removed || nowMs >= result.expiresAtMs) throw noLongerKept()
  const { sizeBytes, sha256, contentType, expiresAtMs: keptUntilMs } = result
  return { sizeBytes, sha256, contentType, keptUntilMs, simulate: readStoredSimulation(task?.parameters ?? '') }
}

/** Node's types do not know that it keeps only one of these. */
function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
