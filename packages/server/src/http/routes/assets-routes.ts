import { assetImportBody, assetListParameters, type DeletedAsset } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAssetResult } from '../../assets/store-asset.ts'
import { assetView } from '../../assets/asset-view.ts'
import type { StoredAsset } from '../../assets/asset-rows.ts'
import { AppError } from '../../lib/app-error.ts'
import { readBody } from './admin/read-body.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { methodNotAllowed } from '../begin-request.ts'
import { brandOf } from '../brand-of.ts'
import { listOf } from '../responses/list-text.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { disableIdleTimeout } from '../connections/disable-idle-timeout.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { readUploadForm } from '../bodies/upload-form.ts'
import { storeFetched } from '../store-fetched.ts'

interface AssetRequest {
  Params: { id: string }
}

const multipartType = 'multipart/form-data'

/** Adds the routes for assets: files that an account uploads for its tasks. */
export function addAssetRoutes(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'assets' | 'clock' | 'config' | 'incoming' | 'keys' | 'signer'>,
): void {
  const { incoming, assets, clock, config, keys, signer } = dependencies
  const url = `${config.basePath}/v2/assets`
  const importUrl = `${url}/import`

  const viewOf = (request: FastifyRequest, asset: StoredAsset) => assetView(asset, signer, clock(), brandOf(request).resultOrigin)

  // This route has a separate Fastify scope, because most other routes do not accept forms.
  app.register(async (scope) => {
    scope.addContentTypeParser(multipartType, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))

    // A JSON body imports a file, like the route `import`. The OpenAPI document omits this older
    // variant, because client generators expect only one type of body.
    scope.post(url, { onRequest: authorize(keys, 'tasks:write'), config: { acceptsImages: true } }, async (request, reply) => {
      if (hasContentType(request, multipartType)) return sendAsset(request, reply, await storeUpload(request))
      if (!hasContentType(request, 'application/json')) throw neitherFormNorJson()
      return sendAsset(request, reply, await importFile(request, reply))
    })
  })

  app.post(importUrl, { onRequest: authorize(keys, 'tasks:write'), config: { acceptsImages: true } }, async (request, reply) =>
    sendAsset(request, reply, await importFile(request, reply)),
  )

  // Without these handlers, the methods would act on an asset with the id 'import'.
  app.route({
    method: ['GET', 'HEAD', 'DELETE'],
    url: importUrl,
    config: { isMethodGuard: true },
    handler(request) {
      throw methodNotAllowed(request.method, 'POST, OPTIONS')
    },
  })

  function sendAsset(request: FastifyRequest, reply: FastifyReply, { asset, isNew }: StoredAssetResult): FastifyReply {
    reply.code(isNew ? 201 : 200).header('location', `${url}/${asset.id}`)
    return sendBody(reply, viewOf(request, asset))
  }

  async function storeUpload(request: FastifyRequest): Promise<StoredAssetResult> {
    const { accountNo } = principalOf(request)
    const receive = assets.receive.bind(assets, accountNo)
    const { name, file } = await readUploadForm(request.raw, { fileBytesMax: assets.bytesMax, pace: incoming.pace, receive })
    await using receivedFile = file
    disableIdleTimeout(request)
    await request.reauthorize?.(request)
    return await assets.store({ accountNo, file: receivedFile, name, param: 'file' })
  }

  async function importFile(request: FastifyRequest, reply: FastifyReply): Promise<StoredAssetResult> {
    disableIdleTimeout(request)
    return await storeFetched(assets, principalOf(request).accountNo, readBody(request, assetImportBody), disconnectSignal(reply))
  }

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { limit, cursor } = readQueryParameters(request.query, assetListParameters)
      const page = await assets.list(principalOf(request).accountNo, limit, cursor)
      return sendBody(
        reply,
        listOf(
          page.assets.map((asset) => viewOf(request, asset)),
          page.nextCursor,
        ),
      )
    },
  })

  app.route<AssetRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const asset = await assets.find(principalOf(request).accountNo, request.params.id)
      if (asset === undefined) throw assetNotFound()
      return sendBody(reply, viewOf(request, asset))
    },
  })

  app.route<AssetRequest>({
    method: 'DELETE',
    url: `${url}/:id`,
    onRequest: authorize(keys, 'tasks:write'),
    async handler(request, reply) {
      const asset = await assets.delete(principalOf(request).accountNo, request.params.id)
      if (asset === undefined) throw assetNotFound()
      return sendBody(reply, { id: asset.id, object: 'asset', deleted: true } satisfies DeletedAsset)
    },
  })
}

function sendBody(reply: FastifyReply, body: object): FastifyReply {
  return reply.header('content-type', jsonContentType).send(JSON.stringify(body))
}

function hasContentType({ headers }: FastifyRequest, type: string): boolean {
  return headers['content-type']?.toLowerCase().startsWith(type) === true
}

function neitherFormNorJson(): AppError {
  return new AppError(
    'unsupported_media_type',
    `Send the file as ${multipartType}, or send its URL as JSON to /v2/assets/import.`,
    {
      headers: { accept: `${multipartType}, application/json` },
    },
  )
}

function assetNotFound(): AppError {
  return new AppError('asset_not_found', 'This account has no asset with this id.')
}
