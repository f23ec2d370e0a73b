import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResumableUpload } from '@framegate/contract'
import { assetView } from '../../assets/asset-view.ts'
import { requireAccepted } from '../../assets/uploads/upload-refusal.ts'
import type { StoredUpload } from '../../assets/uploads/upload-rows.ts'
import { uploadView } from '../../assets/uploads/upload-view.ts'
import { AppError } from '../../lib/app-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { methodNotAllowed } from '../begin-request.ts'
import { PacedBody, requireUnencoded } from '../bodies/paced-body.ts'
import { brandOf } from '../brand-of.ts'
import { readDeclaredFile, readOffset, requireTusVersion, tusVersion } from '../parameters/upload-headers.ts'
import { listOf } from '../responses/list-text.ts'
import { addToResponse } from '../responses/response-fields.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

interface UploadRequest {
  Params: { id: string }
}

const bytesType = 'application/offset+octet-stream'
const tusExtensions = 'creation,expiration,termination'

/**
 * Adds the routes for resumable uploads of assets. They implement the tus protocol 1.0.0
 * (https://tus.io/protocols) with the extensions creation, expiration and termination. GET is an
 * addition by this service.
 */
export function addUploadRoutes(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'assets' | 'clock' | 'config' | 'incoming' | 'keys' | 'signer'>,
): void {
  const { incoming, assets, clock, config, keys, signer } = dependencies
  const { uploads } = assets
  const url = `${config.basePath}/v2/assets/uploads`

  // These routes have a separate Fastify scope, because no other route accepts this content type.
  app.register(async (scope) => {
    scope.addContentTypeParser(bytesType, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.addHook('onRequest', (request, _reply, next) => {
      addToResponse(request, { 'tus-resumable': tusVersion })
      next()
    })

    scope.post(url, { onRequest: authorize(keys, 'tasks:write') }, async (request, reply) => {
      requireTusVersion(request)
      if (request.headers['content-type']?.toLowerCase().startsWith(bytesType) === true) throw bytesTooEarly()
      const { accountNo } = principalOf(request)
      const upload = await uploads.create(accountNo, readDeclaredFile(request, uploads.bytesMax))
      reply.code(201).headers({ location: `${url}/${upload.id}`, ...expiryOf(upload) })
      return sendJson(reply, await viewOf(request, upload))
    })

    scope.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: authorize(keys, 'tasks:read'),
      async handler(request, reply) {
        const unfinishedUploads = await uploads.listUnfinished(principalOf(request).accountNo)
        return sendJson(reply, listOf(await Promise.all(unfinishedUploads.map((upload) => viewOf(request, upload))), null))
      },
    })

    scope.get<UploadRequest>(`${url}/:id`, { onRequest: authorize(keys, 'tasks:read') }, async (request, reply) =>
      sendJson(reply, await viewOf(request, await uploads.find(principalOf(request).accountNo, request.params.id))),
    )

    scope.head<UploadRequest>(`${url}/:id`, { onRequest: authorize(keys, 'tasks:write') }, async (request, reply) => {
      requireTusVersion(request)
      const upload = await uploads.find(principalOf(request).accountNo, request.params.id)
      requireAccepted(upload)
      reply.headers({ 'upload-length': String(upload.size_bytes), ...progressOf(upload) })
      if (upload.metadata !== null) reply.header('upload-metadata', upload.metadata)
      return reply.code(200).send()
    })

    scope.patch<UploadRequest>(`${url}/:id`, { onRequest: authorize(keys, 'tasks:write') }, async (request, reply) => {
      requireTusVersion(request)
      requireBytes(request)
      const offset = readOffset(request)
      try {
        using body = new PacedBody(request.raw, incoming.pace)
        const { 'content-length': contentLength } = request.headers
        const sizeBytes = contentLength === undefined ? null : Number(contentLength)
        const incomingPiece = { offset, sizeBytes, chunks: reauthorizedChunks(request, body) }
        const upload = await uploads.receive(principalOf(request).accountNo, request.params.id, incomingPiece)
        return await reply.code(204).headers(progressOf(upload)).send()
      } finally {
        // If the body is rejected, its rest is received and discarded. If the connection were
        // closed instead, a client that is still sending would lose the response.
        setImmediate(() => request.raw.resume())
      }
    })

    scope.delete<UploadRequest>(`${url}/:id`, { onRequest: authorize(keys, 'tasks:write') }, async (request, reply) => {
      requireTusVersion(request)
      await uploads.delete(principalOf(request).accountNo, request.params.id)
      return reply.code(204).send()
    })

    for (const path of [url, `${url}/:id`]) {
      scope.options(path, async (_request, reply) =>
        reply
          .code(204)
          .headers({
            allow: path === url ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, PATCH, DELETE, OPTIONS',
            'tus-version': tusVersion,
            'tus-extension': tusExtensions,
            'tus-max-size': String(uploads.bytesMax),
          })
          .send(),
      )
    }

    // Without this handler, the method would act on an asset with the id 'uploads'.
    scope.delete(url, { config: { isMethodGuard: true } }, (request) => {
      throw methodNotAllowed(request.method, 'GET, HEAD, POST, OPTIONS')
    })
  })

  async function viewOf(request: FastifyRequest, upload: StoredUpload): Promise<ResumableUpload> {
    const asset = upload.asset_id === null ? undefined : await assets.find(upload.account_no, upload.asset_id)
    return uploadView(upload, asset && assetView(asset, signer, clock(), brandOf(request).resultOrigin))
  }

  /**
   * Returns the headers for the offset, the expiry and, once the upload is complete, the asset's
   * path.
   */
  function progressOf(upload: StoredUpload): Record<string, string> {
    return {
      'upload-offset': String(upload.received_bytes),
      ...expiryOf(upload),
      ...(upload.asset_id !== null && { 'content-location': `${config.basePath}/v2/assets/${upload.asset_id}` }),
    }
  }
}

function expiryOf({ expires_at }: StoredUpload): Record<string, string> {
  return { 'upload-expires': new Date(expires_at).toUTCString() }
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header('content-type', jsonContentType).send(JSON.stringify(body))
}

function requireBytes({ headers }: FastifyRequest): void {
  requireUnencoded(headers)
  if (headers['content-type']?.toLowerCase().split(';')[0]?.trim() === bytesType) return
  throw new AppError('unsupported_media_type', `Send the bytes with Content-Type: ${bytesType}.`, {
    headers: { accept: bytesType },
  })
}

/**
 * Yields the chunks of a body, and then checks the key again, because it may have been revoked while
 * the body was sent. The received bytes are kept, but do not become an asset.
 */
async function* reauthorizedChunks(request: FastifyRequest, body: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let next = await body.next(); next.done !== true; next = await body.next()) yield next.value
  await request.reauthorize?.(request)
}

function bytesTooEarly(): AppError {
  const message = 'Create the upload without a body, then send the bytes with PATCH to the URL in Location.'
  return new AppError('unsupported_media_type', message, { headers: { accept: bytesType } })
}
