import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { LargeFile, LargeFileRequest } from './large-file.ts'

/** Entry point of the thread for large files: generates one file per message. */
parentPort?.on('message', async (request: LargeFileRequest) => {
  const uncompressed = request.name === 'viewer' ? await readViewer() : await writeDocument(request)
  const etag = `W/"${hash('sha256', uncompressed, 'base64url')}"`
  parentPort?.postMessage({ uncompressed, gzipped: gzipSync(uncompressed, { level: 9 }), etag } satisfies LargeFile)
})

/**
 * Reads the script of the docs page through a Fastify plugin, because Scalar's package offers no
 * other way.
 */
async function readViewer(): Promise<Buffer> {
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  await using app = Fastify()
  app.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } })
  const { rawPayload } = await app.inject('/docs/js/scalar.js')
  return rawPayload
}

async function writeDocument({ service }: LargeFileRequest & { name: 'openapi' }): Promise<Buffer> {
  const { openApiDocument } = await import('@framegate/contract/openapi')
  return Buffer.from(JSON.stringify(openApiDocument(service)))
}
