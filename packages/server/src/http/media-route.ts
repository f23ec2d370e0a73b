import type { Simulation } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { Store, StoredResult } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'
import { answerMedia, type MediaAnswer } from '../media/serve-media.ts'
import { readStoredSimulation } from '../tasks/parameters-text.ts'
import type { HttpContext } from './services.ts'
import { simulateDownload } from './simulate-download.ts'

interface MediaRequest {
  Params: { assetId: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/** Results, to whoever has a link that we have signed: no key. The link is refused before anything is looked up. */
export function addMediaRoute(app: FastifyInstance, context: HttpContext): void {
  const { clock, config, mediaStore, signer, store } = context

  app.route<MediaRequest>({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/media/:assetId`,
    async handler(request, reply) {
      const { assetId } = request.params
      const { expires, signature } = request.query
      const nowMs = clock()
      requireGenuine(signer.verify(assetId, text(expires), text(signature), Math.floor(nowMs / 1000)))
      const { result, simulate } = await findResult(store, assetId)
      if (result === null || result.removed || nowMs >= result.expiresAtMs) throw noLongerKept()

      const { headers } = request.raw
      const answer = answerMedia(
        {
          method: request.method === 'HEAD' ? 'HEAD' : 'GET',
          range: headers.range,
          ifRange: header(headers['if-range']),
          ifNoneMatch: headers['if-none-match'],
        },
        {
          sizeBytes: result.sizeBytes,
          sha256: result.sha256,
          contentType: result.contentType,
          fileName: assetId,
          maxAgeSeconds: Math.min(Number(expires), result.expiresAtMs / 1000) - nowMs / 1000,
        },
      )
      if (answer.status === 416) throw rangeNotSatisfiable(answer)
      const opened = answer.body === null ? null : await mediaStore.open(assetId, answer.body)
      if (opened === undefined) throw noLongerKept()
      const stream = opened && simulate ? simulateDownload(opened.stream, simulate) : opened?.stream
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

/** An asset is named after its task. */
async function findResult(
  store: Pick<Store, 'find'>,
  assetId: string,
): Promise<{ result: StoredResult | null; simulate: Simulation | null }> {
  const task = await store.find(assetId.slice(0, assetId.indexOf('.')))
  if (task?.result?.assetId !== assetId) return { result: null, simulate: null }
  return { result: task.result, simulate: readStoredSimulation(task.parameters) }
}

/** Node's types do not know that it keeps only one of these. */
function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
