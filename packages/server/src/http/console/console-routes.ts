import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { brandOf } from '../brand-of.ts'
import { acceptsHtml } from '../responses/accepts.ts'
import { sendLargeFile } from '../responses/large-file.ts'
import { smallPng } from '../routes/small-png.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { readConsoleFiles, type ConsoleFiles } from './console-files.ts'
import { consolePage } from './console-page.ts'
import { consoleFilesPath, consolePath } from './console-paths.ts'
import type { ConsoleServices } from './console-services.ts'
import { addSessionRoutes } from './session-routes.ts'
import type { SessionCookie } from './session-cookie.ts'

const yearSeconds = 365 * 86_400

/**
 * Serves the console: one HTML page at `/console` and every other path below it, the page's files,
 * and the session routes.
 */
export function addConsoleRoutes(
  app: FastifyInstance,
  dependencies: HttpDependencies,
  services: ConsoleServices,
  cookie: SessionCookie,
): void {
  const { config, brands } = dependencies
  const pageHeaders = { ...fixedPageHeaders, 'content-security-policy': contentSecurityPolicy(services.mediaOrigin) }
  let pendingFiles: Promise<ConsoleFiles> | undefined

  /** Reads the files on the first request, and caches them. */
  async function readFiles(): Promise<ConsoleFiles> {
    pendingFiles ??= readConsoleFiles()
    try {
      return await pendingFiles
    } catch (error) {
      pendingFiles = undefined
      throw error
    }
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!acceptsHtml(request.raw.headers.accept)) throw fileNotFound()
    const { manifest } = await readFiles()
    return reply
      .headers(pageHeaders)
      .header('content-type', 'text/html; charset=utf-8')
      .send(consolePage(brandOf(request), manifest, config.basePath))
  }

  const method = ['GET', 'HEAD']
  for (const url of [consolePath, `${consolePath}/`, `${consolePath}/*`]) app.route({ method, url, handler: sendPage })

  app.route<{ Params: { name: string } }>({
    method,
    url: `${consoleFilesPath}/:name`,
    async handler(request, reply) {
      const file = (await readFiles()).files.get(request.params.name)
      if (file === undefined) throw fileNotFound()
      return sendLargeFile(request, reply, file.contentType, file.file, `public, max-age=${yearSeconds}, immutable`)
    },
  })

  app.route({
    method,
    url: `${consolePath}/logo.png`,
    async handler(request, reply) {
      const logo = await brands.logoOf(brandOf(request))
      if (logo === null) throw fileNotFound()
      return reply.header('cache-control', 'no-cache').header('content-type', 'image/png').send(smallPng(logo))
    },
  })

  addSessionRoutes(app, dependencies, services, cookie)
}

/**
 * Returns a policy with which the page loads scripts and styles only from this origin, runs no
 * inline scripts, and cannot convert text to HTML. Media may also come from the origin to which the
 * service redirects: the page shows them, and reads them to use a result as an input.
 */
function contentSecurityPolicy(mediaOrigin: string | null): string {
  const media = mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media} data: blob:`,
    `media-src ${media} blob:`,
    `connect-src ${media}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const fixedPageHeaders = {
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

function fileNotFound(): AppError {
  return new AppError('route_not_found', 'There is nothing at this path.')
}
