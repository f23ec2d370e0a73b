import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The names of all files below a folder, in order; none where there is no folder. */
export function filesBelow(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}

/** What has arrived of uploads that are not at their end. */
export function filesArriving(dataDir: string): string[] {
  return [...filesBelow(path.join(dataDir, 'scratch', 'uploads')), ...filesBelow(path.join(dataDir, 'media', 'incoming'))]
}
