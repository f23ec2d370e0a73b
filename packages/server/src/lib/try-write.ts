import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Size of the test file, which is large enough to detect a full disk. */
const tryBytes = 64 * 1024

/**
 * Tests whether a folder is writable: writes a file, syncs it to the disk, moves it to
 * `targetFolder`, and removes it. Creates missing folders. Rejects with the error of the operating
 * system.
 */
export async function tryWrite(folder: string, targetFolder = folder): Promise<void> {
  const name = `.write-check-${process.pid}`
  const [written, renamed] = [path.join(folder, name), path.join(targetFolder, name)]
  try {
    await mkdir(folder, { recursive: true })
    {
      await using file = await open(written, 'w', 0o600)
      await file.writeFile(Buffer.alloc(tryBytes))
      await file.sync()
    }
    if (renamed !== written) await rename(written, renamed)
  } finally {
    for (const leftover of new Set([written, renamed])) await rm(leftover, { force: true }).catch(() => undefined)
  }
}
