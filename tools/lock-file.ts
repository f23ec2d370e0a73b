import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Lock files contain neither download URLs (`.npmrc` makes npm omit them) nor the engines of
 * dependencies. npm would compare the engines with the shell's Node, and warn about every package
 * that needs a newer version. The repository installs its own Node as a package. The shell's Node
 * only starts that Node.
 */
const root = fileURLToPath(new URL('..', import.meta.url))

export const lockFiles: readonly string[] = globSync('**/package-lock.json', {
  cwd: root,
  exclude: (name) => name.split(path.sep).includes('node_modules'),
}).toSorted()

interface LockFile {
  packages: Record<string, { engines?: unknown; resolved?: string }>
}

export function readLockFile(name: string): string {
  return readFileSync(path.join(root, name), 'utf8')
}

/**
 * Removes the engines of dependencies from a lock file, and keeps the engines of the project and
 * its workspaces.
 */
export function withoutEngines(text: string): string {
  const lock = JSON.parse(text) as LockFile
  for (const [folder, entry] of Object.entries(lock.packages)) if (isDependency(folder)) delete entry.engines
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** Returns the download URLs of packages, without links to workspaces. */
export function downloadAddresses(text: string): string[] {
  const { packages } = JSON.parse(text) as LockFile
  return Object.entries(packages).flatMap(([folder, { resolved }]) =>
    isDependency(folder) && resolved?.includes(':') ? [resolved] : [],
  )
}

export function rewriteLockFiles(): void {
  for (const name of lockFiles) writeFileSync(path.join(root, name), withoutEngines(readLockFile(name)))
}

function isDependency(folder: string): boolean {
  return /(^|\/)node_modules\//.test(folder)
}
