import type { Brand } from '../../brands/brand.ts'

type Appearance = Pick<Brand, 'name' | 'color' | 'logoSha256'>

/**
 * Returns the HTML of a brand's API reference at `{base_url}/docs`. Its URLs are relative, because
 * a proxy may serve it under another path.
 */
export function docsPage({ name, color, logoSha256 }: Appearance): string {
  const title = escapeHtml(name)
  const header = logoSha256 === null ? '' : `<header><img src="docs/logo.png" alt="">${title}</header>\n    `
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}: API reference</title>
    <link rel="icon" href="${logoSha256 === null ? dotIcon(color) : 'docs/logo.png'}">${color === null ? '' : `\n    <meta name="theme-color" content="${color}">`}
    <style>${logoSha256 === null ? 'body{margin:0}' : headerStyle}</style>
    <script src="docs/viewer.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    ${header}<div id="viewer"></div>
    <noscript>This page needs JavaScript. Its content is also available as an <a href="openapi.json">OpenAPI document</a>.</noscript>
  </body>
</html>
`
}

const headerPixels = 56
const headerStyle = [
  `body{margin:0;--scalar-custom-header-height:${headerPixels}px}`,
  `header{box-sizing:border-box;height:${headerPixels}px;position:sticky;top:0;z-index:9;display:flex;align-items:center;gap:12px;padding:0 20px;`,
  'font:600 18px system-ui,sans-serif;background:#fff;color:#1b1b1b;border-bottom:1px solid #8883}',
  'header img{max-height:36px;max-width:160px}',
  '.dark-mode header{background:#0f0f0f;color:#e7e7e7}',
].join('')

/**
 * Returns a page's icon as a data URI: a dot, or an empty icon without a color. Without an icon,
 * browsers would request `/favicon.ico`.
 */
export function dotIcon(color: string | null): string {
  if (color === null) return 'data:,'
  const drawing = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle cx='4' cy='4' r='4' fill='${color}'/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Scalar, the viewer of the page, gives all columns of a table the same width and breaks words
 * anywhere. On this page, a table that is wider than its column scrolls.
 */
const tableStyle = [
  '.introduction-description .markdown table{display:block!important;table-layout:auto!important;overflow-x:auto!important}',
  '.introduction-description .markdown table :is(th,td,code){word-break:normal!important}',
  '.introduction-description .markdown td:nth-child(2){min-width:13rem}',
].join('')

/**
 * Returns the script that inserts the base URL of the page into the OpenAPI document and renders the
 * document. Scalar is configured to load no fonts, send no telemetry, offer no assistant and
 * store no API key.
 */
export function docsPageStart({ color }: Pick<Appearance, 'color'>): string {
  const accent = color === null ? '' : `.light-mode, .dark-mode { --scalar-color-accent: ${color}; --scalar-button-1: ${color}; }`
  return `const base = new URL('.', location.href).href.replace(/\\/$/, '')

fetch('openapi.json')
  .then((response) => (response.ok ? response.text() : Promise.reject(new Error('status ' + response.status))))
  .then((text) => {
    const content = JSON.parse(text.replaceAll('{base_url}', base))
    content.servers = [{ url: base }]
    Scalar.createApiReference('#viewer', {
      content,
      agent: { disabled: true },
      customCss: ${JSON.stringify(tableStyle + accent)},
      hideClientButton: true,
      mcp: { disabled: true },
      modelsSectionLabel: 'Schemas',
      orderSchemaPropertiesBy: 'preserve',
      persistAuth: false,
      showDeveloperTools: 'never',
      telemetry: false,
      withDefaultFonts: false,
    })
  })
  .catch((error) => {
    document.querySelector('#viewer').textContent = 'The API reference could not be loaded (' + error.message + '). Reload the page.'
  })
`
}
