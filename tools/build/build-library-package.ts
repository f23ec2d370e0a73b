import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Manifest fields that only the workspace needs. */
const workspaceFields = new Set(['private', 'scripts', 'devDependencies'])

/** Builds `@framegate/sdk`. */
export function buildSdkPackage(folder: string): void {
  buildLibraryPackage('sdk', folder)
}

/**
 * Builds `@framegate/ai-sdk-provider`. Its types are checked against the built SDK in `sdkFolder`,
 * or else against one that is built temporarily.
 */
export function buildAiSdkProviderPackage(folder: string, sdkFolder?: string): void {
  const temporarySdkFolder = `${folder}.sdk`
  try {
    if (sdkFolder === undefined) buildSdkPackage(temporarySdkFolder)
    const types = path.join(sdkFolder ?? temporarySdkFolder, 'index.d.ts')
    buildLibraryPackage('ai-sdk-provider', folder, { '@framegate/sdk': [types] })
  } finally {
    rmSync(temporarySdkFolder, { recursive: true, force: true })
  }
}

/**
 * Writes a library as it is published: JavaScript with type declarations, a manifest with their
 * paths, the license and the README. `paths` maps other packages of the workspace to their types.
 */
function buildLibraryPackage(workspace: string, folder: string, paths: Record<string, string[]> = {}): void {
  const source = path.join(root, 'packages', workspace)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const config = path.join(folder, 'tsconfig.json')
  const compilerOptions = { outDir: folder, rootDir: path.join(source, 'src'), paths }
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(source, 'tsconfig.build.json'),
      compilerOptions,
      include: [path.join(source, 'src')],
    }),
  )
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', config, '--typeRoots', path.join(root, 'node_modules/@types')], {
    stdio: 'inherit',
  })
  rmSync(config)
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
  copyFileSync(path.join(source, 'README.md'), path.join(folder, 'README.md'))
}

function publishedManifest(manifest: Record<string, unknown>): Record<string, unknown> {
  const publishedFields = Object.entries(manifest).filter(([field]) => !workspaceFields.has(field))
  const { exports, imports, ...others } = Object.fromEntries(publishedFields)
  return {
    ...others,
    exports: mapPaths(exports, (file) => ({ types: builtPath(file, '.d.ts'), default: builtPath(file, '.js') })),
    ...(imports !== undefined && { imports: mapPaths(imports, (file) => builtPath(file, '.js')) }),
  }
}

/**
 * Replaces every path to a source file in `exports` or `imports`, including those in nested
 * conditions.
 */
function mapPaths(value: unknown, replace: (file: string) => unknown): unknown {
  if (typeof value === 'string') return value.endsWith('.ts') ? replace(value) : value
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, mapPaths(inner, replace)]))
}

function builtPath(file: string, extension: string): string {
  return file.replace('./src/', './').replace(/\.ts$/, extension)
}
