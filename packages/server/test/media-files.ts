import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Returns the sorted names of all files below a folder. Empty if the folder does not exist. */
export function filesBelow(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}

/** Returns the names of the files of unfinished uploads. */
export function incomingFiles(dataDir: string): string[] {
  return [...filesBelow(path.join(dataDir, 'scratch', 'uploads')), ...filesBelow(path.join(dataDir, 'media', 'incoming'))]
}
