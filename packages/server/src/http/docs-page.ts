import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'

/** What the page `{base_url}/docs` consists of. Its addresses are relative, for a proxy may move it. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Framegate: the interface</title>
    <link rel="icon" href="data:,">
    <script src="docs/viewer.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <div id="viewer"></div>
    <noscript>This page needs JavaScript. The same as <a href="openapi.json">OpenAPI document</a>.</noscript>
  </body>
</html>
`

/** Nothing of this leaves the page: no fonts, no telemetry, no assistant, no remembered key. */
export const docsPageStart = `Scalar.createApiReference('#viewer', {
  url: 'openapi.json',
  agent: { disabled: true },
  hideClientButton: true,
  mcp: { disabled: true },
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
})
`

interface PageFile {
  plain: Buffer
  gzipped: Buffer
  etag: string
}

let viewer: Promise<PageFile> | undefined

/** Scalar's viewer, megabytes of it: loaded when the page is first opened, and then kept in one form for each encoding. */
export function docsPageViewer(): Promise<PageFile> {
  return (viewer ??= loadViewer())
}

async function loadViewer(): Promise<PageFile> {
  const plain = await readViewer()
  return { plain, gzipped: await promisify(gzip)(plain, { level: 9 }), etag: `"${hash('sha256', plain, 'base64url')}"` }
}

/** The package hands its file out by a Fastify plugin and in no other way. */
async function readViewer(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await using shelf = Fastify()
  shelf.register(scalar, { routePrefix: '/shelf', configuration: { url: '/' } })
  const { rawPayload } = await shelf.inject('/shelf/js/scalar.js')
  return rawPayload
}
