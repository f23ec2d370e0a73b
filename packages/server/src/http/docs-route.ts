import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPage, docsPageStart } from './docs-page.ts'
import { answerLargeFile, createLargeFile } from './large-file.ts'
import type { HttpContext } from './services.ts'

/**
 * The interface for people: a page that shows the OpenAPI document and sends requests with a key that is typed into it. It
 * loads nothing from elsewhere, and its policy would not let it: what is typed there can only come here.
 */
export function addDocsRoute(app: FastifyInstance, { config }: Pick<HttpContext, 'config'>): void {
  const url = `${config.basePath}/docs`
  const viewer = createLargeFile({ name: 'viewer' })

  function add(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void | Promise<FastifyReply>): void {
    app.route({ method: ['GET', 'HEAD'], url: url + path, handler })
  }

  add('', (_request, reply) => {
    reply.headers(protection).header('content-type', 'text/html; charset=utf-8').send(docsPage)
  })
  add('/', (_request, reply) => {
    // The addresses in the page are relative to where it really is.
    reply.redirect('../docs', 308)
  })
  add('/start.js', (_request, reply) => {
    reply.headers(protection).header('content-type', scriptContentType).send(docsPageStart)
  })
  add('/viewer.js', async (request, reply) => {
    return answerLargeFile(request, reply.headers(protection), scriptContentType, await viewer())
  })
}

const scriptContentType = 'text/javascript; charset=utf-8'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer brings its styles along with its code.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const protection = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
