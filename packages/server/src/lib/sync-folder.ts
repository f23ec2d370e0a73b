import { open } from 'node:fs/promises'

/**
 * Syncs a folder to the disk, so that the creation, renaming and removal of its files survive a
 * power failure.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder. Its file system journals these changes.
  if (process.platform === 'win32') return
  await using handle = await open(folder)
  await handle.sync()
}

/** Syncs the contents of a file to the disk. */
export async function syncFile(file: string): Promise<void> {
  // Windows syncs only files that are open for writing.
  await using handle = await open(file, process.platform === 'win32' ? 'r+' : 'r')
  await handle.sync()
}
