import { open } from 'node:fs/promises'

/** What was made, renamed or removed in a folder survives a power cut from here on. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder; its file system journals the names by itself.
  if (process.platform === 'win32') return
  await using opened = await open(folder)
  await opened.sync()
}
