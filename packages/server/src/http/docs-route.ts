import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPage, docsPageStart, docsPageViewer } from './docs-page.ts'
import { matchesEtag } from './etag.ts'
import type { HttpContext } from './services.ts'

/**
 * The interface for people: a page that shows the OpenAPI document and sends requests with a key that is typed into it. It
 * loads nothing from elsewhere, and its policy would not let it: what is typed there can only come here.
 */
export function addDocsRoute(app: FastifyInstance, { config }: Pick<HttpContext, 'config'>): void {
  const url = `${config.basePath}/docs`

  function add(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void | Promise<FastifyReply>): void {
    app.route({ method: ['GET', 'HEAD'], url: url + path, handler })
  }

  add('', (_request, reply) => {
    answerPageFile(reply, 'text/html').send(docsPage)
  })
  add('/', (_request, reply) => {
    // The addresses in the page are relative to where it really is.
    reply.redirect('../docs', 308)
  })
  add('/start.js', (_request, reply) => {
    answerPageFile(reply, 'text/javascript').send(docsPageStart)
  })
  add('/viewer.js', async ({ raw: { headers } }, reply) => {
    const { plain, gzipped, etag } = await docsPageViewer()
    answerPageFile(reply, 'text/javascript').headers({ etag, vary: 'Accept-Encoding' })
    const ifNoneMatch = headers['if-none-match']
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return reply.code(304).send()
    if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(String(headers['accept-encoding']))) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  })
}

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

function answerPageFile(reply: FastifyReply, contentType: 'text/html' | 'text/javascript'): FastifyReply {
  return reply.headers({
    'content-type': `${contentType}; charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}
