import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { smallPng } from './small-png.ts'
import { brandOf } from '../brand-of.ts'
import { docsPage, docsPageStart } from './docs-page.ts'
import { sendLargeFile, type LargeFile } from '../responses/large-file.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/**
 * Serves the interactive API reference, which renders the OpenAPI document and sends requests with
 * an API key that the user enters. The content security policy forbids requests to other hosts, so
 * the key reaches only this service.
 */
export function addDocsRoute(
  app: FastifyInstance,
  { brands, config, largeFiles }: Pick<HttpDependencies, 'brands' | 'config' | 'largeFiles'>,
): void {
  const url = docsPathOf(config)
  let viewer: Promise<LargeFile> | undefined

  /** Reads the script of Scalar, which shows the API reference, and caches it. */
  async function readViewer(): Promise<LargeFile> {
    viewer ??= largeFiles.generate({ name: 'viewer' }, new AbortController().signal)
    try {
      return await viewer
    } catch (error) {
      viewer = undefined
      throw error
    }
  }

  function addPage(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void | Promise<FastifyReply>): void {
    app.route({ method: ['GET', 'HEAD'], url: url + path, handler })
  }

  addPage('', (request, reply) => {
    reply
      .headers(docsHeaders)
      .header('content-type', 'text/html; charset=utf-8')
      .send(docsPage(brandOf(request)))
  })
  addPage('/', (_request, reply) => {
    // The relative URLs in the page work only without a trailing slash.
    reply.redirect('../docs', 308)
  })
  addPage('/start.js', (request, reply) => {
    reply
      .headers(docsHeaders)
      .header('content-type', scriptContentType)
      .send(docsPageStart(brandOf(request)))
  })
  addPage('/logo.png', async (request, reply) => {
    const logo = await brands.logoOf(brandOf(request))
    if (logo === null) throw new AppError('route_not_found', 'There is nothing at this path.')
    return reply.headers(docsHeaders).header('content-type', 'image/png').send(smallPng(logo))
  })
  addPage('/viewer.js', async (request, reply) => {
    return sendLargeFile(request, reply.headers(docsHeaders), scriptContentType, await readViewer())
  })
}

export function docsPathOf({ basePath }: Pick<HttpDependencies['config'], 'basePath'>): string {
  return `${basePath}/docs`
}

const scriptContentType = 'text/javascript; charset=utf-8'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar injects styles into the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const docsHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
