import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSdkPackage } from '../../../tools/build/build-library-package.ts'
import { stateOfFiles } from '../../../tools/build/state-of-files.ts'

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
const inputs = ['packages/sdk', 'tools/build', 'package-lock.json', 'LICENSE']
const temporary = fileURLToPath(new URL('../../../.tmp', import.meta.url))
/** What npm has reported, in the shared folder. */
const reportFile = 'pack-report.json'

/** `parent` is the folder in which the project is created. */
export function publishedPackage(parent = tmpdir()): PublishedPackage {
  const folder = mkdtempSync(join(parent, 'framegate-package-'))
  cpSync(packedProject(), folder, { recursive: true, verbatimSymlinks: true })
  const { filename, files } = JSON.parse(readFileSync(join(folder, reportFile), 'utf8')) as PackReport
  rmSync(join(folder, reportFile))
  return {
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
    project: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/**
 * A folder with the project, which npm creates once for each state of the sources. Several test
 * files copy it.
 */
function packedProject(): string {
  const name = `sdk-project-${stateOfFiles(inputs).slice(0, 16)}`
  const shared = join(temporary, name)
  if (existsSync(shared)) return shared
  mkdirSync(temporary, { recursive: true })
  for (const otherFolder of readdirSync(temporary)) {
    if (/^sdk-project-\w+$/.test(otherFolder) && otherFolder !== name)
      rmSync(join(temporary, otherFolder), { recursive: true, force: true })
  }
  const newFolder = `${shared}.${process.pid}`
  pack(newFolder)
  try {
    renameSync(newFolder, shared)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(shared)) throw error
    rmSync(newFolder, { recursive: true })
  }
  return shared
}

function pack(folder: string): void {
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: npmMsMax, stdio: ['ignore', 'pipe', 'pipe'] })

  buildSdkPackage(join(folder, 'built'))
  const [report] = reportsOf(npm('pack', '--json', './built'))
  if (report === undefined) throw new Error('npm has packed nothing')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  npm('install', '--offline', '--no-audit', '--no-fund', `./${report.filename}`)
  writeFileSync(join(folder, reportFile), JSON.stringify(report))
}

/** Some npm versions print a list, others an object by name. */
function reportsOf(json: string): PackReport[] {
  return Object.values(JSON.parse(json) as Record<string, PackReport>)
}
