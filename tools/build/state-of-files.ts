import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ignoredFolders = new Set(['node_modules', 'dist', 'test'])

/**
 * Returns a digest that changes when one of these files, or a file in these folders, is added,
 * removed or modified. A file counts as modified if its time or its size has changed. Paths are
 * relative to the repository. Folders in `ignoredFolders` are skipped.
 */
export function stateOfFiles(inputs: readonly string[]): string {
  const hash = createHash('sha256')
  for (const input of inputs) {
    for (const file of filesOf(path.join(root, input))) {
      const { mtimeMs, size } = statSync(file)
      hash.update(`${file} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.digest('hex')
}

function* filesOf(file: string): Generator<string> {
  if (!statSync(file).isDirectory()) {
    yield file
    return
  }
  for (const name of readdirSync(file).toSorted()) if (!ignoredFolders.has(name)) yield* filesOf(path.join(file, name))
}
