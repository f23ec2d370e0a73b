import { readdirSync, statSync, type Dirent } from 'node:fs'
import path from 'node:path'

/** Returns the sorted names of all files below a folder. Empty if the folder does not exist. */
export function filesBelow(folder: string): string[] {
  return entriesBelow(folder)
    .map(({ name }) => name)
    .toSorted()
}

function entriesBelow(folder: string): Dirent[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
}

/** Returns the total size of the files of unfinished uploads. */
export function bytesOfUploads(dataDir: string): number {
  const scratch = entriesBelow(path.join(dataDir, 'scratch', 'uploads'))
  const media = entriesBelow(path.join(dataDir, 'media')).filter(
    ({ name, parentPath }) => name.startsWith('upload_') || path.basename(parentPath) === 'incoming',
  )
  return [...scratch, ...media].reduce(
    (sum, { name, parentPath }) => sum + (statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

/** Returns the names of the files of unfinished uploads. */
export function incomingFiles(dataDir: string): string[] {
  return [...filesBelow(path.join(dataDir, 'scratch', 'uploads')), ...filesBelow(path.join(dataDir, 'media', 'incoming'))]
}
