import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { LargeFile, LargeFileName } from './large-file.ts'

/** Makes one file for each message. */
parentPort?.on('message', async (request: LargeFileName) => {
  const uncompressed = request.name === 'viewer' ? await readViewer() : await writeDocument(request)
  const etag = `W/"${hash('sha256', uncompressed, 'base64url')}"`
  parentPort?.postMessage({ uncompressed, gzipped: gzipSync(uncompressed, { level: 9 }), etag } satisfies LargeFile)
})

/** Reads the viewer through a Fastify plugin, the only way in which Scalar's package serves it. */
async function readViewer(): Promise<Buffer> {
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  await using shelf = Fastify()
  shelf.register(scalar, { routePrefix: '/shelf', configuration: { url: '/' } })
  const { rawPayload } = await shelf.inject('/shelf/js/scalar.js')
  return rawPayload
}

async function writeDocument({ service }: LargeFileName & { name: 'openapi' }): Promise<Buffer> {
  const { openApiDocument } = await import('@framegate/contract/openapi')
  return Buffer.from(JSON.stringify(openApiDocument(service)))
}
