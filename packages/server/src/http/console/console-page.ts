import type { Brand } from '../../brands/brand.ts'
import { dotIcon, escapeHtml } from '../routes/docs-page.ts'
import type { ConsoleManifest } from './console-files.ts'
import { consoleFilesPath, consolePath } from './console-paths.ts'

/**
 * Returns the HTML document of the console, which is the same at every path. The script reads the
 * brand from it and renders the page.
 */
export function consolePage(
  { name, color, logoSha256, isWhiteLabel }: Pick<Brand, 'name' | 'color' | 'logoSha256' | 'isWhiteLabel'>,
  { theme, script, style, preloads }: ConsoleManifest,
  basePath: string,
): string {
  const title = escapeHtml(name)
  const logo = logoSha256 === null ? null : `${consolePath}/logo.png`
  const metas = [
    ['application-name', title],
    ['api-path', basePath],
    ['white-label', String(isWhiteLabel)],
    ...(color === null ? [] : [['brand-color', color]]),
    ...(logo === null ? [] : [['brand-logo', logo]]),
  ]
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${metas.map(([key, content]) => `<meta name="${key}" content="${content}">`).join('\n    ')}
    <title>${title}</title>
    <link rel="icon" href="${logo ?? dotIcon(color)}">
    <script src="${consoleFilesPath}/${theme}"></script>
    <link rel="stylesheet" href="${consoleFilesPath}/${style}">
    ${preloads.map((file) => `<link rel="modulepreload" href="${consoleFilesPath}/${file}">`).join('\n    ')}
    <script type="module" src="${consoleFilesPath}/${script}"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript. The API is described at <a href="${basePath}/docs">${basePath}/docs</a>.</noscript>
  </body>
</html>
`
}
