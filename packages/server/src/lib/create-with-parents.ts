import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only its user can read, and its missing parents. Returns false if the folder
 * exists. The option `recursive` of `mkdir` is not used for paths that an operator chooses: on a file
 * system that does not accept new folders (/proc), Node's loop over the parent folders never ends.
 */
export function createWithParents(folder: string): boolean {
  if (isFolder(folder)) return false
  if (dirname(folder) !== folder) createWithParents(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (isFolder(folder)) return false
    throw error
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
