import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const driverListFile = 'packages/server/src/drivers/upstream-drivers.ts'
const upstreamsPage = 'docs/upstreams.md'
const nameLengthMax = 30

/** Destination path of each template. */
function pathsByTemplate(name: string): Record<string, string> {
  return {
    'driver.ts.template': `packages/server/src/drivers/${name}/${name}-driver.ts`,
    'jobs.ts.template': `packages/server/src/drivers/${name}/jobs.ts`,
    'protocol.ts.template': `packages/server/test/upstreams/${name}.protocol.ts`,
    'driver.test.ts.template': `packages/server/test/upstreams/${name}.test.ts`,
    'page.md.template': `docs/upstreams/${name}.md`,
  }
}

/**
 * Writes a driver for an example protocol, with a simulator, a test and a page. The test passes
 * except for the parts that the developer has to complete. Returns the written files. Throws an
 * error for an invalid name.
 */
export function createDriver(root: string, name: string): string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > nameLengthMax) {
    throw new Error(
      `a driver's name consists of lower-case words and digits joined by dashes, and has at most ${nameLengthMax} characters; '${name}' does not`,
    )
  }
  const paths = pathsByTemplate(name)
  const existingPath = Object.values(paths).find((existing) => existsSync(path.join(root, existing)))
  if (existingPath !== undefined) throw new Error(`a driver named ${name} already exists: ${existingPath}`)

  const fill = placeholderReplacer(name)
  for (const [template, targetPath] of Object.entries(paths)) {
    const file = path.join(root, targetPath)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, fill(readFileSync(new URL(`template/${template}`, import.meta.url), 'utf8')))
  }
  rewriteFile(
    path.join(root, driverListFile),
    (source) =>
      fill("import { {{variable}}Driver } from './{{name}}/{{name}}-driver.ts'\n") +
      source.replace(/,?\s*\]\s*$/, fill(', {{variable}}Driver]\n')),
  )
  rewriteFile(path.join(root, upstreamsPage), (page) =>
    page.replace(/(\|\n)(?!\|)/, `$1${fill('| [{{Name}}](upstreams/{{name}}.md) | `{{name}}` | |\n')}`),
  )
  const writtenFiles = [...Object.values(paths), driverListFile, upstreamsPage]
  const { status, stderr } = spawnSync(path.join(root, 'node_modules/.bin/oxfmt'), writtenFiles, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`oxfmt could not format the files: ${stderr}`)
  return writtenFiles
}

function placeholderReplacer(name: string): (template: string) => string {
  const words = name.split('-')
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const values: Record<string, string> = {
    name,
    Name: title,
    variable: title.charAt(0).toLowerCase() + title.slice(1),
    CONSTANT: words.join('_').toUpperCase(),
  }
  return (template) => template.replaceAll(/\{\{(name|Name|variable|CONSTANT)\}\}/g, (_whole, key: string) => values[key] ?? '')
}

function rewriteFile(file: string, rewrite: (text: string) => string): void {
  writeFileSync(file, rewrite(readFileSync(file, 'utf8')))
}
