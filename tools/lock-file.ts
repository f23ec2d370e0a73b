import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Lock files name neither download addresses (`.npmrc` has npm leave them out) nor the engines of dependencies. npm compares those with
 * the shell's Node, which only starts the one that the repository brings along, and would warn of every package that needs a newer one.
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

/** The text of a lock file without engines, but for those of the project itself and its workspaces. */
export function withoutEngines(text: string): string {
  const lock = JSON.parse(text) as LockFile
  for (const [folder, entry] of Object.entries(lock.packages)) if (isDependency(folder)) delete entry.engines
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** Addresses that packages are downloaded from; links to workspaces are none. */
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
