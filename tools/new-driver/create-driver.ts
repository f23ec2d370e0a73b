import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const driverListFile = 'packages/server/src/drivers/upstream-drivers.ts'
const upstreamsPage = 'docs/upstreams.md'
const nameLengthMax = 30

/** Returns the destination path of each template. */
function targetPathsOf(name: string): Record<string, string> {
  return {
    'driver.ts.template': `packages/server/src/drivers/${name}/${name}-driver.ts`,
    'jobs.ts.template': `packages/server/src/drivers/${name}/jobs.ts`,
    'protocol.ts.template': `packages/server/test/upstreams/${name}.protocol.ts`,
    'driver.test.ts.template': `packages/server/test/upstreams/${name}.test.ts`,
    'page.md.template': `docs/upstreams/${name}.md`,
  }
}

/**
 * Writes a driver for an example protocol, with a simulator, a test and a page, and adds it to the
 * list of drivers and to the page of upstreams. The test passes except for the parts that the
 * developer has to complete. Returns the written and changed files. Throws an error for an invalid
 * name and for a driver that exists.
 */
export function createDriver(root: string, name: string): string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > nameLengthMax) {
    throw new Error(
      `a driver's name consists of lower-case words and digits joined by dashes, and has at most ${nameLengthMax} characters; '${name}' does not`,
    )
  }
  const targetPaths = targetPathsOf(name)
  const existingPath = Object.values(targetPaths).find((targetPath) => existsSync(path.join(root, targetPath)))
  if (existingPath !== undefined) throw new Error(`a driver named ${name} already exists: ${existingPath}`)

  const fillIn = placeholderReplacer(name)
  for (const [template, targetPath] of Object.entries(targetPaths)) {
    const file = path.join(root, targetPath)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, fillIn(readFileSync(new URL(`template/${template}`, import.meta.url), 'utf8')))
  }
  rewriteFile(
    path.join(root, driverListFile),
    (source) =>
      fillIn("import { {{variable}}Driver } from './{{name}}/{{name}}-driver.ts'\n") +
      source.replace(/,?\s*\]\s*$/, fillIn(', {{variable}}Driver]\n')),
  )
  rewriteFile(path.join(root, upstreamsPage), (page) =>
    page.replace(/(\|\n)(?!\|)/, `$1${fillIn('| [{{Name}}](upstreams/{{name}}.md) | `{{name}}` | |\n')}`),
  )
  const writtenFiles = [...Object.values(targetPaths), driverListFile, upstreamsPage]
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
