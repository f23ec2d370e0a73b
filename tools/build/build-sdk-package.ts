import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = path.join(root, 'packages/sdk')

/** Manifest fields that only the workspace needs. */
const workspaceFields = new Set(['private', 'scripts'])

/**
 * Writes the package as it is published: JavaScript with type declarations, a manifest with their
 * paths, the license and the README.
 */
export function buildSdkPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', path.join(source, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: 'inherit',
  })
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
    imports: mapPaths(imports, (file) => builtPath(file, '.js')),
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
