import { open } from 'node:fs/promises'

/** Syncs a folder, so that files created, renamed or removed in it survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder; its file system journals the names itself.
  if (process.platform === 'win32') return
  await using opened = await open(folder)
  await opened.sync()
}
