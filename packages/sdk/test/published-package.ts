import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSdkPackage } from '../../../tools/build/build-sdk-package.ts'

/** The package as npm packs it, and a project that has only this package. */
export interface PublishedPackage extends Disposable {
  tarball: string
  /** Files in npm's tarball. */
  files: string[]
  /** Contains `node_modules/@framegate/sdk`. */
  project: string
}

interface PackReport {
  filename: string
  files: { path: string }[]
}

const npmMsMax = 60_000

/** `parent` is the folder in which the project is created. */
export function publishedPackage(parent = tmpdir()): PublishedPackage {
  const folder = mkdtempSync(join(parent, 'framegate-package-'))
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: npmMsMax, stdio: ['ignore', 'pipe', 'pipe'] })

  buildSdkPackage(join(folder, 'built'))
  const [report] = reportsOf(npm('pack', '--json', './built'))
  if (report === undefined) throw new Error('npm has packed nothing')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  npm('install', '--offline', '--no-audit', '--no-fund', `./${report.filename}`)
  return {
    tarball: join(folder, report.filename),
    files: report.files.map(({ path }) => path),
    project: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/** Some npm versions print a list, others an object by name. */
function reportsOf(json: string): PackReport[] {
  return Object.values(JSON.parse(json) as Record<string, PackReport>)
}
