import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from '../../packages/console/build/build-console.ts'
import { bundleProgram, nativePackages, optionalPackage } from './bundle-program.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = path.join(root, 'packages/cli')
/** Import paths of the program in the launcher: in the repository, and in the package. */
const mainModulePaths = ['../src/main.ts', '../lib/main.js'] as const

/** Folder of the built console, relative to the folder of the program's code. */
const consoleFolder = 'console/dist'

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  [field: string]: unknown
}

/**
 * Writes the package `framegate` as it is published: the launcher, the program as JavaScript with
 * the files that it reads, a manifest that depends on the packages with native code, the licenses
 * and the README.
 */
export async function buildProgramPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  const code = path.join(folder, 'lib')
  const { modules, assets } = await bundleProgram(code)
  const builtConsole = await buildConsole(path.join(code, consoleFolder))
  for (const [name, file] of assets) if (name !== consoleFolder) cpSync(file, path.join(code, name), { recursive: true })
  const launcher = readFileSync(path.join(source, 'bin/framegate.js'), 'utf8')
  if (!launcher.includes(mainModulePaths[0])) throw new Error(`bin/framegate.js does not import ${mainModulePaths[0]}.`)
  writeFileSync(path.join(folder, 'bin/framegate.js'), launcher.replace(...mainModulePaths), { mode: 0o755 })
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), `${thirdPartyNotices([...modules, ...builtConsole.modules])}\n`)
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
  cpSync(path.join(source, 'README.md'), path.join(folder, 'README.md'))
}

function publishedManifest(): Manifest {
  const { private: _private, scripts: _scripts, ...fields } = readManifest('packages/cli')
  const { dependencies, devDependencies = {} } = readManifest('packages/server')
  const dependencyVersions = { ...dependencies, ...readManifest('packages/renderer').dependencies }
  return {
    ...fields,
    dependencies: Object.fromEntries(nativePackages.map((name) => [name, versionIn(dependencyVersions, name)])),
    peerDependencies: { [optionalPackage]: versionIn(devDependencies, optionalPackage) },
    peerDependenciesMeta: { [optionalPackage]: { optional: true } },
    engines: { node: '>=24' },
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest
}

function versionIn(dependencies: Record<string, string>, name: string): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`No workspace depends on ${name}.`)
  return version
}
