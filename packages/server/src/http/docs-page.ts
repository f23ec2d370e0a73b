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
